import { readFileSync } from "node:fs";

const SERVICES: Readonly<Record<string, readonly string[]>> = {
  admin: ["signet.v1.AdminService"],
  auth: ["signet.v1.AuthService"],
  management: ["signet.v1.ManagementService"],
  either: ["signet.v1.AdminService", "signet.v1.ManagementService"],
};

/**
 * Finds the methods that the files of the console call, such as `signet.v1.ManagementService.ListUsers` for
 * `management.listUsers`; `either` is the service for the instance or that for an organization.
 */
export function findUsedMethods(files: readonly string[]): ReadonlySet<string> {
  const calls = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(file, "utf8").matchAll(/\b(?:api\.(admin|auth)|(management|either))\.([a-z]\w+)/g),
    ]);
  return new Set(
    calls.flatMap(([, called, service = called ?? "", method = ""]) =>
      (SERVICES[service] ?? []).map((name) => `${name}.${capitalize(method)}`),
    ),
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
