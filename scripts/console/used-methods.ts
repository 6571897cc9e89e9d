import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SERVICES: Readonly<Record<string, string>> = {
  admin: "signet.v1.AdminService",
  auth: "signet.v1.AuthService",
  management: "signet.v1.ManagementService",
};

/**
 * Finds the methods that the console calls, such as `signet.v1.ManagementService.ListUsers` for
 * `api.management.listUsers`.
 */
export function findUsedMethods(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const calls = files.flatMap((file) => [
    ...readFileSync(join(folder, file), "utf8").matchAll(/\bapi\.(admin|auth|management)\.(\w+)/g),
  ]);
  return new Set(calls.map(([, service = "", method = ""]) => `${SERVICES[service]}.${capitalize(method)}`));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
