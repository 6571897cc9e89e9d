using Google.Rpc;
using Grpc.Core;
using Grpc.Net.Client;
using Signet.V1;

using var channel = GrpcChannel.ForAddress($"http://{Environment.GetEnvironmentVariable("SIGNET_ADDRESS")}");
var management = new ManagementService.ManagementServiceClient(channel);
var headers = new Metadata { { "authorization", $"Bearer {Environment.GetEnvironmentVariable("SIGNET_TOKEN")}" } };
var request = new ImportHumanUserRequest
{
    UserName = $"ada-{Guid.NewGuid()}",
    Profile = new() { FirstName = "Ada", LastName = "Lovelace" },
    Email = new() { Email_ = "ada@example.com", IsEmailVerified = true },
};

var imported = await management.ImportHumanUserAsync(request, headers, DateTime.UtcNow.AddSeconds(5));
Console.WriteLine($"imported {imported.UserId}");
try
{
    await management.ImportHumanUserAsync(request, headers, DateTime.UtcNow.AddSeconds(5));
}
catch (RpcException error)
{
    var info = error.GetRpcStatus()?.GetDetail<ErrorInfo>();
    Console.WriteLine($"failed {error.StatusCode} {info?.Reason}");
}
