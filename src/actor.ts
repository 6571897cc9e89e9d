import { hasPermission, type Permission } from "./roles.ts";

/** Who runs an operation: a plain value. An operation reaches nothing outside of `orgId` on behalf of its actor. */
export type Actor = Principal | Self | Operator;

/** The user whose token an RPC was called with. `implement` checks the permission of the RPC before the operation. */
export interface Principal {
  readonly kind: "principal";
  readonly userId: string;
  readonly instanceId: string;
  /** The organization that the user belongs to. */
  readonly userOrgId: string;
  /** The target organization: the user's own, or the one selected by `x-service-orgid`. */
  readonly orgId: string;
  /** The roles of the user on the instance, and in the target organization. */
  readonly instanceRoles: readonly string[];
  readonly orgRoles: readonly string[];
  /** The instance and organizations in which the token carries the roles of its user; null for all. */
  readonly roleScopes: readonly string[] | null;
}

/** A user who has signed in, or proved who they are on a page, and changes their own user. Needs no role. */
export interface Self {
  readonly kind: "self";
  readonly userId: string;
  readonly orgId: string;
  /** The session of the browser. It continues if the change ends the other sessions of the user. */
  readonly keptSession?: string | undefined;
}

/** The operator of the service, on the command line. May do everything. */
export interface Operator {
  readonly kind: "operator";
  readonly userId: null;
  readonly instanceId: string;
  /** The target organization. */
  readonly orgId: string;
}

/** Who calls an RPC: a user with a token or, in the process of a command, the operator. */
export type ApiActor = Principal | Operator;

/**
 * Whether an actor may do what a permission allows: in the target organization, or on the instance if its name starts
 * with `iam.`. Operations decide about permissions only with this function.
 *
 * @param userId The user to whom it is done, if any, in lowercase. A self may do everything to itself, and nothing else.
 */
export function isAllowed(actor: Actor, permission: Permission, userId?: string): boolean {
  switch (actor.kind) {
    case "principal":
      // No role in an organization has a permission on the instance.
      return holds(actor.instanceRoles, permission) || holds(actor.orgRoles, permission);
    case "self":
      return userId === actor.userId;
    case "operator":
      return true;
    default:
      return actor satisfies never;
  }
}

/**
 * Whether an actor may do what a permission allows in its organization, or by its roles on the instance alone, which apply
 * to every organization.
 */
export function isAllowedIn(scope: "instance" | "org", actor: ApiActor, permission: Permission): boolean {
  if (scope === "org" || actor.kind === "operator") return isAllowed(actor, permission);
  return holds(actor.instanceRoles, permission);
}

/** Whether one of the roles has the permission. */
export function holds(roles: readonly string[], permission: Permission): boolean {
  return roles.some((role) => hasPermission(role, permission));
}
