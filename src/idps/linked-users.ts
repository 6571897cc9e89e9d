import { type RawBuilder, sql } from "kysely";
import { type Actor, isAllowed } from "../actor.ts";
import type { Param } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";

/** Which users the caller may change. Anyone who changes a provider could sign in as the users linked to it. */
export interface MayChangeLinked {
  /** Users without a role. */
  mayChangeUsers: boolean;
  /** Users with a role in their organization. */
  mayChangeMembers: boolean;
  /** Users with any other role. */
  mayChangeAllMembers: boolean;
}

export function mayChangeLinked(actor: Actor): MayChangeLinked {
  return {
    mayChangeUsers: isAllowed(actor, "user.write"),
    mayChangeMembers: isAllowed(actor, "org.member.write"),
    mayChangeAllMembers: isAllowed(actor, "iam.member.write"),
  };
}

/** The links to a provider. */
export interface Links {
  has_links: boolean;
  /** Whether a user is linked who has a role, and whom the caller may not change. */
  is_protected: boolean;
}

/**
 * The links to the provider in the part `held` of a statement, which must lock it with FOR UPDATE: a statement that
 * adds a link also locks the provider (the foreign key), so either it waits, or its link is found.
 */
export function linksOf<Values extends MayChangeLinked>(param: Param<Values>): RawBuilder<Links> {
  const given = param as unknown as Param<MayChangeLinked>;
  return sql<Links>`idp_links(held.owner_id, held.id, ${given("mayChangeMembers", "boolean")},
    ${given("mayChangeAllMembers", "boolean")})`;
}

export function linkedUserProtected(): SignetError {
  return new SignetError(
    "PERMISSION_DENIED",
    "a user with a role is linked to the provider, and the caller may not change users with that role",
  );
}
