/** Writes the gRPC service config of the sample clients: `node scripts/client/write-service-config.ts`, part of `npm run generate`. */
import { writeFileSync } from "node:fs";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { createServiceConfig } from "./create-service-config.ts";

const config = createServiceConfig([AdminService, ManagementService, AuthService]);
writeFileSync("examples/clients/service-config.json", `${JSON.stringify(config, undefined, 2)}\n`);
