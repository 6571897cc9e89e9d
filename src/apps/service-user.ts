import { type Expression, type RawBuilder, sql } from "kysely";
import { type Actor, isAllowed } from "../actor.ts";
import type { Param } from "../database/prepare.ts";
import { invalidArgument, SignetError } from "../errors.ts";

/**
 * Whether a caller may use the machine user of an application. An application of the type `service` gets tokens for its
 * user, so anyone who controls it can act as the user. The rule is that of `addPersonalAccessToken`.
 */
export interface MayUseService {
  /** Users without a role. */
  readonly mayUseUsers: boolean;
  /** Users with a role in the organization. */
  readonly mayUseMembers: boolean;
  /** Users with any other role. */
  readonly mayUseAllMembers: boolean;
}

export function mayUseService(actor: Actor): MayUseService {
  return {
    mayUseUsers: isAllowed(actor, "user.write"),
    mayUseMembers: isAllowed(actor, "org.member.write"),
    mayUseAllMembers: isAllowed(actor, "iam.member.write"),
  };
}

/** Why an application cannot have the machine user. */
export type ServiceRefusal = "SERVICE_USER_DENIED" | "SERVICE_USER_UNKNOWN";

type ServiceValues = MayUseService & { ownerId: string };

/**
 * Why the caller may not use the machine user with the id, or null.
 *
 * @param userId Null for applications without one.
 */
export function refuseServiceUser<Values extends ServiceValues>(
  userId: Expression<unknown>,
  given: Param<Values>,
): RawBuilder<ServiceRefusal | null> {
  const ownerId = given("ownerId", "uuid");
  return sql<ServiceRefusal | null>`case
    when ${userId} is null then null
    when not ${given("mayUseUsers", "boolean")} then 'SERVICE_USER_DENIED'
    when not exists (select from users where users.org_id = ${ownerId} and users.id = ${userId} and users.kind = 'machine')
      then 'SERVICE_USER_UNKNOWN'
    when exists (select from members where members.user_org_id = ${ownerId} and members.user_id = ${userId}
      and not case when members.scope_id = ${ownerId} then ${given("mayUseMembers", "boolean")}
        else ${given("mayUseAllMembers", "boolean")} end)
      then 'SERVICE_USER_DENIED' end`;
}

export function toServiceError(refusal: ServiceRefusal): SignetError {
  switch (refusal) {
    case "SERVICE_USER_DENIED":
      return new SignetError(
        "PERMISSION_DENIED",
        "serviceUserId: only callers with the permission user.write and every role of the user may set it, or change " +
          "applications that have it",
      );
    case "SERVICE_USER_UNKNOWN":
      return invalidArgument({ field: "serviceUserId", description: SERVICE_USER_RULE });
    default:
      return refusal satisfies never;
  }
}

export const SERVICE_USER_RULE = "must be the id of a machine user of the organization that owns the application";
