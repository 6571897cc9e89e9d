import com.google.gson.Gson;
import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import com.signet.v1.ImportHumanUserRequest;
import com.signet.v1.ManagementServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

public class Client {
  private static final Metadata.Key<Status> STATUS =
      Metadata.Key.of("grpc-status-details-bin", ProtoUtils.metadataMarshaller(Status.getDefaultInstance()));

  public static void main(String[] args) throws Exception {
    String config = Files.readString(Path.of("examples/clients/service-config.json"));
    ManagedChannel channel =
        ManagedChannelBuilder.forTarget(System.getenv("SIGNET_ADDRESS"))
            .usePlaintext()
            .defaultServiceConfig(new Gson().fromJson(config, Map.class))
            .enableRetry()
            .build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + System.getenv("SIGNET_TOKEN"));
    var management =
        ManagementServiceGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    var request =
        ImportHumanUserRequest.newBuilder()
            .setUserName("ada-" + UUID.randomUUID())
            .setProfile(ImportHumanUserRequest.Profile.newBuilder().setFirstName("Ada").setLastName("Lovelace"))
            .setEmail(ImportHumanUserRequest.Email.newBuilder().setEmail("ada@example.com").setIsEmailVerified(true))
            .build();

    var imported = management.withDeadlineAfter(5, TimeUnit.SECONDS).importHumanUser(request);
    System.out.println("imported " + imported.getUserId());
    try {
      management.withDeadlineAfter(5, TimeUnit.SECONDS).importHumanUser(request);
    } catch (StatusRuntimeException error) {
      for (Any detail : error.getTrailers().get(STATUS).getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          String reason = detail.unpack(ErrorInfo.class).getReason();
          System.out.println("failed " + error.getStatus().getCode() + " " + reason);
        }
      }
    }
    channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
  }
}
