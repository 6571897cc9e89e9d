import { openPool } from "../../../src/database/connection.ts";
import type { Installation } from "./process.ts";
import { startService, type TestService } from "./service.ts";

/**
 * Starts the service on the database of an installation in this process, which takes a few milliseconds instead of the
 * 0.9 s of CPU time of `signet serve`. For tests of commands that need a running service.
 */
export function serveHere({ variables, address }: Pick<Installation, "variables" | "address">): Promise<TestService> {
  const database = { ...openPool(address, 16, () => {}), address };
  const masterKey = Buffer.from(variables.MASTER_KEY ?? "", "base64");
  return startService("postgres", variables, { existing: { database, masterKey, port: 0 } });
}
