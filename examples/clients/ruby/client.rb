require "securerandom"
require "grpc"
require "google/protobuf/well_known_types"
require "google/rpc/error_details_pb"
require "google/rpc/status_pb"
require "signet/v1/management_services_pb"

config = File.read("examples/clients/service-config.json")
management = Signet::V1::ManagementService::Stub.new(
  ENV.fetch("SIGNET_ADDRESS"), :this_channel_is_insecure, channel_args: { "grpc.service_config" => config }
)
options = { metadata: { "authorization" => "Bearer #{ENV.fetch("SIGNET_TOKEN")}" } }
request = Signet::V1::ImportHumanUserRequest.new(
  user_name: "ada-#{SecureRandom.uuid}",
  profile: { first_name: "Ada", last_name: "Lovelace" },
  email: { email: "ada@example.com", is_email_verified: true }
)

imported = management.import_human_user(request, deadline: Time.now + 5, **options)
puts "imported #{imported.user_id}"
begin
  management.import_human_user(request, deadline: Time.now + 5, **options)
rescue GRPC::BadStatus => error
  status = Google::Rpc::Status.decode(error.metadata["grpc-status-details-bin"])
  info = status.details.lazy.filter_map { |detail| detail.unpack(Google::Rpc::ErrorInfo) }.first
  puts "failed #{error.class.name.split("::").last} #{info.reason}"
end
