import os
import uuid

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from signet.v1 import management_pb2, management_pb2_grpc

with open("examples/clients/service-config.json") as file:
    options = [("grpc.service_config", file.read())]
channel = grpc.insecure_channel(os.environ["SIGNET_ADDRESS"], options)
management = management_pb2_grpc.ManagementServiceStub(channel)
metadata = [("authorization", f"Bearer {os.environ['SIGNET_TOKEN']}")]
request = management_pb2.ImportHumanUserRequest(
    user_name=f"ada-{uuid.uuid4()}",
    profile={"first_name": "Ada", "last_name": "Lovelace"},
    email={"email": "ada@example.com", "is_email_verified": True},
)

imported = management.ImportHumanUser(request, timeout=5, metadata=metadata)
print("imported", imported.user_id)
try:
    management.ImportHumanUser(request, timeout=5, metadata=metadata)
except grpc.RpcError as error:
    info = error_details_pb2.ErrorInfo()
    next(detail for detail in rpc_status.from_call(error).details if detail.Unpack(info))
    print("failed", error.code().name, info.reason)
