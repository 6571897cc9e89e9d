import type { Role } from "../../src/roles.ts";
import type { ErrorReason } from "../support/clients/errors.ts";

/** What each character of the grid means; `+` is a success. */
export const OUTCOMES: Readonly<Record<string, ErrorReason | undefined>> = {
  "+": undefined,
  p: "PERMISSION_DENIED",
  o: "ORG_NOT_FOUND",
};

/** The columns of the grid: what the organization header contains. */
export const ORGS = ["no header", "own", "other", "unknown", "no id"] as const;

/** The result of each permission for each role in the instance or in the caller's organization. */
export const GRID: Readonly<Record<Role | "no role", Readonly<Record<ReadPermission, string>>>> = {
  INSTANCE_OWNER: row("+++++", "+++oo"),
  INSTANCE_USER_MANAGER: { ...row("ppppp", "ppppp", "+++oo"), "org.read": "+++oo", "user.read": "+++oo" },
  INSTANCE_VIEWER: row("+++++", "+++oo"),
  ORG_OWNER: row("ppppp", "++ppp"),
  ORG_SETTINGS_MANAGER: {
    ...row("ppppp", "++ppp"),
    "org.hook.read": "ppppp",
    "org.member.read": "ppppp",
    "user.read": "ppppp",
  },
  ORG_USER_MANAGER: { ...row("ppppp", "ppppp", "++ppp"), "org.read": "++ppp", "user.read": "++ppp" },
  ORG_VIEWER: { ...row("ppppp", "++ppp"), "org.hook.read": "ppppp", "org.member.read": "ppppp" },
  "no role": row("ppppp", "ppppp", "++ppp"),
};

export type ReadPermission = keyof ReturnType<typeof row>;

function row(instance: string, org: string, any = org) {
  return {
    "iam.read": instance,
    "iam.idp.read": instance,
    "iam.org.read": instance,
    "iam.member.read": instance,
    "iam.policy.read": instance,
    "org.read": org,
    "org.idp.read": org,
    "org.app.read": org,
    "org.hook.read": org,
    "org.member.read": org,
    "policy.read": org,
    "user.read": org,
    "authenticated.read": any,
  };
}
