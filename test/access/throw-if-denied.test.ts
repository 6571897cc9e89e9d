import { randomUUID } from "node:crypto";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { readRequestedOrg } from "../../src/access/requested-org.ts";
import { throwIfDenied } from "../../src/access/throw-if-denied.ts";
import { SignetError } from "../../src/errors.ts";
import { type Requirement, ROLES } from "../../src/roles.ts";
import { readPermission } from "../../src/rpc/implement.ts";
import {
  cellsOf,
  DOCUMENTED_PERMISSIONS,
  DOCUMENTED_ROLES,
  documentedPermission,
  ORGS,
  ROLE_HOLDERS,
  type RoleHolder,
} from "./documented-roles.ts";

const METHODS = [AdminService, AuthService, ManagementService].flatMap(({ methods }) => [...methods]);
const IDS = { own: randomUUID(), other: randomUUID() };
const HEADERS = { "no header": undefined, "an empty header": "", ...IDS, unknown: randomUUID(), "no id": "default" };
const RESULTS: Readonly<Record<string, string>> = { PERMISSION_DENIED: "p", ORG_NOT_FOUND: "o" };

/** The result of a call of a user of the organization `own`, as a character of `cellsOf`. */
function decide({ role, scope }: RoleHolder, permission: Requirement, org: (typeof ORGS)[number]): string {
  const requested = readRequestedOrg(permission, HEADERS[org]);
  const target = requested.given ? org : "own";
  const rolesIn = (place: string) => (role !== undefined && place === scope ? [role] : []);
  const found = {
    org_id: IDS.own,
    org_exists: target in IDS,
    instance_roles: rolesIn("instance"),
    org_roles: rolesIn(target),
  };
  try {
    throwIfDenied(found, requested, permission);
    return "+";
  } catch (error) {
    if (error instanceof SignetError) return RESULTS[error.reason] ?? error.reason;
    throw error;
  }
}

test("each role has the permissions in docs/api.md", () => {
  const roles = Object.entries(ROLES).map(([name, { scope, permissions }]) => [name, scope, [...permissions].sort()]);
  const documented = Object.entries(DOCUMENTED_ROLES).map(([name, { scope, permissions }]) => [
    name,
    scope,
    [...permissions].sort(),
  ]);
  expect(roles).toEqual(documented);
  expect([...DOCUMENTED_PERMISSIONS].sort()).toEqual([...ROLES.INSTANCE_OWNER.permissions].sort());
});

test("every call is permitted or denied to each role in each organization as docs/api.md describes", () => {
  const unexpected = METHODS.flatMap((method) => {
    const name = `${method.parent.name}.${method.name}`;
    const [permission, documented] = [readPermission(method), documentedPermission(name)];
    return Object.entries(ROLE_HOLDERS).flatMap(([caller, holder]) => {
      const cells = ORGS.map((org) => decide(holder, permission, org)).join("");
      const expected = cellsOf(holder, documented);
      return cells === expected ? [] : [`${name} (${permission}) with ${caller}: ${cells}, expected ${expected}`];
    });
  });
  expect(unexpected).toEqual([]);
  expect(METHODS.length).toBeGreaterThan(200);
  expect(Object.keys(ROLE_HOLDERS)).toHaveLength(12);
});
