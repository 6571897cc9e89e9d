"""Imports a user with reflection: the client only needs the name of the method."""
import os
import uuid

import grpc
from google.protobuf import descriptor_pool, json_format, message_factory
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

channel = grpc.insecure_channel(os.environ["SIGNET_ADDRESS"])
pool = descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(channel))
service = pool.FindServiceByName("signet.v1.ManagementService")
method = service.FindMethodByName("ImportHumanUser")
Request = message_factory.GetMessageClass(method.input_type)
Response = message_factory.GetMessageClass(method.output_type)
user = {
    "userName": f"ada-{uuid.uuid4()}",
    "profile": {"firstName": "Ada", "lastName": "Lovelace"},
    "email": {"email": "ada@example.com", "isEmailVerified": True},
}
call = channel.unary_unary(f"/{service.full_name}/{method.name}", Request.SerializeToString, Response.FromString)
metadata = [("authorization", f"Bearer {os.environ['SIGNET_TOKEN']}")]
response = call(json_format.ParseDict(user, Request()), timeout=5, metadata=metadata)
print("imported", response.user_id)
