# .NET 8 or newer, with network access to NuGet.
dotnet run --project examples/clients/csharp
