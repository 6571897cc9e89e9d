import { throwIfAboveOwn } from "../../src/access/member-roles.ts";
import type { Principal } from "../../src/actor.ts";
import { ROLES, type Role } from "../../src/roles.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";

function callerWith(...roles: Role[]): Principal {
  return createPrincipalCall({ instanceRoles: [], orgRoles: roles });
}

const ORG = { kind: "org", id: "" } as const;
const INSTANCE = { kind: "instance", id: "" } as const;
const ORG_ROLES = (Object.keys(ROLES) as Role[]).filter((role) => ROLES[role].scope === "org");

test("an owner can grant every organization role, but no instance role with more permissions", () => {
  for (const role of ORG_ROLES) expect(() => throwIfAboveOwn([role], ORG, callerWith("ORG_OWNER"))).not.toThrow();
  for (const role of ORG_ROLES) expect(() => throwIfAboveOwn([role], ORG, callerWith("INSTANCE_OWNER"))).not.toThrow();
  expect(() => throwIfAboveOwn(["INSTANCE_OWNER"], ORG, callerWith("ORG_OWNER"))).toThrow("iam.read");
});

test("a caller without a permission cannot grant a role with it", () => {
  const refused: [Role, Role[], string][] = [
    ["ORG_VIEWER", ["ORG_VIEWER", "ORG_OWNER"], "org.write"],
    ["ORG_USER_MANAGER", ["ORG_SETTINGS_MANAGER"], "org.idp.read"],
    ["ORG_SETTINGS_MANAGER", ["ORG_USER_MANAGER"], "user.read"],
  ];
  for (const [own, roles, permission] of refused) {
    expect(() => throwIfAboveOwn(roles, ORG, callerWith(own))).toThrow(
      expect.objectContaining({ reason: "PERMISSION_DENIED", metadata: { permission } }),
    );
  }
  const both = callerWith("ORG_USER_MANAGER", "ORG_SETTINGS_MANAGER");
  expect(() => throwIfAboveOwn(["ORG_USER_MANAGER", "ORG_SETTINGS_MANAGER", "ORG_VIEWER"], ORG, both)).not.toThrow();
});

test("roles in the instance are compared with the caller's own roles in the instance", () => {
  const onInstance = (role: Role) => createPrincipalCall({ instanceRoles: [role], orgRoles: ["ORG_OWNER"] });
  expect(() => throwIfAboveOwn(["INSTANCE_OWNER"], INSTANCE, onInstance("INSTANCE_OWNER"))).not.toThrow();
  expect(() => throwIfAboveOwn(["INSTANCE_VIEWER"], INSTANCE, onInstance("INSTANCE_VIEWER"))).not.toThrow();
  // The role in the organization has these permissions, but only there.
  const refused: [Role, Role, string][] = [
    ["INSTANCE_VIEWER", "INSTANCE_USER_MANAGER", "user.write"],
    ["INSTANCE_USER_MANAGER", "INSTANCE_VIEWER", "iam.read"],
  ];
  for (const [own, role, permission] of refused) {
    expect(() => throwIfAboveOwn([role], INSTANCE, onInstance(own))).toThrow(
      expect.objectContaining({ reason: "PERMISSION_DENIED", metadata: { permission } }),
    );
  }
});
