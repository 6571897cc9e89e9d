/**
 * Adds a human user with gRPC-Web: `node examples/grpc-web.js`, while the service runs.
 *
 * Everything except the imports from `node:`, the lines that read the environment and the token file, and
 * `process.exitCode` also runs in browsers, which have `crypto.randomUUID()`. A page needs a bundler and a token, and
 * its origin must be in CORS_ORIGINS.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { toJson } from "@bufbuild/protobuf";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import { ImportHumanUserResponseSchema, ManagementService } from "../gen/signet/v1/management_pb.js";

const baseUrl = process.env.SIGNET_URL ?? "http://localhost:8080";
const token =
  process.env.SIGNET_TOKEN ?? readFileSync(process.env.ADMIN_TOKEN_FILE ?? "data/admin.token", "utf8").trim();

const management = createClient(ManagementService, createGrpcWebTransport({ baseUrl }));
try {
  const response = await management.importHumanUser(
    {
      userName: `alan-${randomUUID()}`,
      profile: { firstName: "Alan", lastName: "Turing" },
      email: { email: "alan@example.com", isEmailVerified: true },
      requestPasswordlessRegistration: true,
    },
    { headers: { authorization: `Bearer ${token}` } },
  );
  console.log(JSON.stringify(toJson(ImportHumanUserResponseSchema, response), null, 2));
} catch (thrown) {
  // Every error of Signet has a code and a stable reason.
  const error = ConnectError.from(thrown);
  const [info] = error.findDetails(ErrorInfoSchema);
  console.error(`failed: ${error.message}${info ? ` (${info.reason})` : ""}`);
  process.exitCode = 1;
}
