import { throwIfAboveOwn } from "../../src/access/member-roles.ts";
import type { Principal } from "../../src/actor.ts";
import { ROLES, type Role } from "../../src/roles.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";

function callerWith(...roles: Role[]): Principal {
  return createPrincipalCall({ instanceRoles: [], orgRoles: roles });
}

const ORG_ROLES = (Object.keys(ROLES) as Role[]).filter((role) => ROLES[role].scope === "org");

test("an owner can grant every organization role, but no instance role with more permissions", () => {
  for (const role of ORG_ROLES) expect(() => throwIfAboveOwn([role], callerWith("ORG_OWNER"))).not.toThrow();
  for (const role of ORG_ROLES) expect(() => throwIfAboveOwn([role], callerWith("INSTANCE_OWNER"))).not.toThrow();
  expect(() => throwIfAboveOwn(["INSTANCE_OWNER"], callerWith("ORG_OWNER"))).toThrow("iam.read");
});

test("a caller without a permission cannot grant a role with it", () => {
  const refused: [Role, Role[], string][] = [
    ["ORG_VIEWER", ["ORG_VIEWER", "ORG_OWNER"], "org.write"],
    ["ORG_USER_MANAGER", ["ORG_SETTINGS_MANAGER"], "org.idp.read"],
    ["ORG_SETTINGS_MANAGER", ["ORG_USER_MANAGER"], "user.read"],
  ];
  for (const [own, roles, permission] of refused) {
    expect(() => throwIfAboveOwn(roles, callerWith(own))).toThrow(
      expect.objectContaining({ reason: "PERMISSION_DENIED", metadata: { permission } }),
    );
  }
  const both = callerWith("ORG_USER_MANAGER", "ORG_SETTINGS_MANAGER");
  expect(() => throwIfAboveOwn(["ORG_USER_MANAGER", "ORG_SETTINGS_MANAGER", "ORG_VIEWER"], both)).not.toThrow();
});
