/**
 * Adds a human user and changes the phone number with gRPC: `node examples/grpc.js`, while the service runs.
 *
 * The files in `proto` work with any gRPC client. This one uses the code in `gen`, which is generated from them.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { create, fromBinary, toBinary, toJson } from "@bufbuild/protobuf";
import grpc from "@grpc/grpc-js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";

const url = new URL(process.env.SIGNET_URL ?? "http://localhost:8080");
const token =
  process.env.SIGNET_TOKEN ?? readFileSync(process.env.ADMIN_TOKEN_FILE ?? "data/admin.token", "utf8").trim();

// With TLS: grpc.credentials.createSsl().
const client = new grpc.Client(url.host, grpc.credentials.createInsecure());
const metadata = new grpc.Metadata();
metadata.set("authorization", `Bearer ${token}`);

const imported = await call(ManagementService.method.importHumanUser, {
  userName: `grace-${randomUUID()}`,
  profile: { firstName: "Grace", lastName: "Hopper" },
  email: { email: "grace@example.com", isEmailVerified: true },
  password: randomUUID(),
});
await call(ManagementService.method.updateHumanPhone, {
  userId: imported.userId,
  phone: "+44 20 7946 0958",
  isPhoneVerified: true,
});
client.close();

/** Calls a method and prints the response or the error. */
function call({ parent, name, input, output }, request) {
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      `/${parent.typeName}/${name}`,
      (message) => Buffer.from(toBinary(input, message)),
      (bytes) => fromBinary(output, bytes),
      create(input, request),
      metadata,
      (error, response) => {
        if (error) {
          console.error(`${name} failed: ${error.message}`);
          process.exit(1);
        }
        console.log(name, JSON.stringify(toJson(output, response), null, 2));
        resolve(response);
      },
    );
  });
}
