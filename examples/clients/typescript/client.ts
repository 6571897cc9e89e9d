import { randomUUID } from "node:crypto";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";

const transport = createGrpcTransport({ baseUrl: `http://${process.env.SIGNET_ADDRESS}` });
const management = createClient(ManagementService, transport);
const options = { headers: { authorization: `Bearer ${process.env.SIGNET_TOKEN}` }, timeoutMs: 5_000 };
const user = {
  userName: `ada-${randomUUID()}`,
  profile: { firstName: "Ada", lastName: "Lovelace" },
  email: { email: "ada@example.com", isEmailVerified: true },
};

const { userId } = await management.importHumanUser(user, options);
console.log("imported", userId);
try {
  await management.importHumanUser(user, options);
} catch (error) {
  const { code } = ConnectError.from(error);
  const [info] = ConnectError.from(error).findDetails(ErrorInfoSchema);
  console.log("failed", Code[code], info?.reason);
}
