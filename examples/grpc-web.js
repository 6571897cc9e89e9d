/**
 * Adds a human user by gRPC-Web: `node examples/grpc-web.js`, while the service runs.
 *
 * Node's alone are the two imports from `node:`, the two lines that read the environment and the token's file, and
 * `process.exitCode` at the end; a browser has `crypto.randomUUID()`. All else runs in both. A page takes it through a
 * bundler, has a token of its own, and its origin must be one of CORS_ORIGINS.
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
  const answer = await management.importHumanUser(
    {
      userName: `alan-${randomUUID()}`,
      profile: { firstName: "Alan", lastName: "Turing" },
      email: { email: "alan@example.com", isEmailVerified: true },
      requestPasswordlessRegistration: true,
    },
    { headers: { authorization: `Bearer ${token}` } },
  );
  console.log(JSON.stringify(toJson(ImportHumanUserResponseSchema, answer), null, 2));
} catch (thrown) {
  // Any error of Signet says why: by a code, and by a reason that never changes.
  const error = ConnectError.from(thrown);
  const [info] = error.findDetails(ErrorInfoSchema);
  console.error(`failed: ${error.message}${info ? ` (${info.reason})` : ""}`);
  process.exitCode = 1;
}
