"""Imports a user with reflection: the client only needs the name of the method."""
import os
import sys
import uuid

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

# The generated package grpc.reflection is not in the folder of the installed package grpc.
grpc.__path__ += [os.path.join(path, "grpc") for path in sys.path]
from grpc.reflection.v1 import reflection_pb2, reflection_pb2_grpc

channel = grpc.insecure_channel(os.environ["SIGNET_ADDRESS"])
reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
symbol = "signet.v1.ManagementService"
requests = [reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol)]
pool = descriptor_pool.DescriptorPool()
for response in reflection.ServerReflectionInfo(iter(requests), timeout=5):
    files = [
        descriptor_pb2.FileDescriptorProto.FromString(each)
        for each in response.file_descriptor_response.file_descriptor_proto
    ]
while files:
    # The imports of a file must be added before the file.
    names = {file.name for file in files}
    ready = [file for file in files if not names.intersection(file.dependency)]
    for file in ready:
        pool.Add(file)
    files = [file for file in files if file not in ready]

method = pool.FindServiceByName(symbol).FindMethodByName("ImportHumanUser")
factory = message_factory.MessageFactory(pool)
Request, Response = factory.GetPrototype(method.input_type), factory.GetPrototype(method.output_type)
user = {
    "userName": f"ada-{uuid.uuid4()}",
    "profile": {"firstName": "Ada", "lastName": "Lovelace"},
    "email": {"email": "ada@example.com", "isEmailVerified": True},
}
call = channel.unary_unary(f"/{symbol}/{method.name}", Request.SerializeToString, Response.FromString)
metadata = [("authorization", f"Bearer {os.environ['SIGNET_TOKEN']}")]
response = call(json_format.ParseDict(user, Request()), timeout=5, metadata=metadata)
print("imported", response.user_id)
