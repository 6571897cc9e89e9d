import { readFileSync } from "node:fs";

const SERVICES: Readonly<Record<string, string>> = {
  admin: "signet.v1.AdminService",
  auth: "signet.v1.AuthService",
  management: "signet.v1.ManagementService",
};

/**
 * Finds the methods that the files of the console call, such as `signet.v1.ManagementService.ListUsers` for
 * `api.management.listUsers`.
 */
export function findUsedMethods(files: readonly string[]): ReadonlySet<string> {
  const calls = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\bapi\.(admin|auth|management)\.(\w+)/g)]);
  return new Set(calls.map(([, service = "", method = ""]) => `${SERVICES[service]}.${capitalize(method)}`));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
