import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import { type Change, prepareChange } from "../events/prepare-change.ts";
import { linksOf, type MayChangeLinked } from "./linked-users.ts";

/**
 * Why a change of a provider is refused:
 *
 * - `protected`: a linked user has a role, and the caller may not change that user.
 * - `state`: the state of the provider does not allow the change.
 * - `kind`: the provider is of another kind.
 * - `address-trust`: the provider links users without confirmation, or its addresses are trusted, and the caller may not
 *   change all users.
 * - `issuer`: the change replaces the issuer or the endpoints of a provider with links.
 * - `client`: the change replaces the client of a provider with links, and the caller may not change users.
 */
export type IdpRefusal = "protected" | "kind" | "address-trust" | "state" | "issuer" | "client";

/** Conditions under which a change is refused. They read the stored provider from `held`. */
interface IdpConditions {
  readonly kind?: RawBuilder<boolean>;
  readonly state?: RawBuilder<boolean>;
  /** Whether the change replaces the issuer or the endpoints, or the client. */
  readonly issuer?: RawBuilder<boolean>;
  readonly client?: RawBuilder<boolean>;
}

interface IdpChange<Values extends object> extends Omit<Change<"idps", Values, IdpRefusal>, "refuse"> {
  readonly refuseIf?: (given: Param<Values>) => IdpConditions;
}

/**
 * Prepares a command that changes one provider; see `prepareChange`. It decides about the links as they are once the
 * provider is locked.
 */
export function prepareIdpChange<Values extends object>({ refuseIf, ...change }: IdpChange<Values>) {
  const refuse = (given: Param<MayChangeLinked & Values>) => {
    const never = sql<boolean>`false`;
    const own = given as unknown as Param<Values>;
    const { kind = never, state = never, issuer = never, client = never } = refuseIf?.(own) ?? {};
    const may = given as unknown as Param<MayChangeLinked>;
    const mayChangeUsers = may("mayChangeUsers", "boolean");
    const mayTrustAddresses = sql`(${mayChangeUsers} and ${may("mayChangeMembers", "boolean")})`;
    return sql<IdpRefusal | null>`(
      select case
        when ${kind} then 'kind'
        when links.is_protected then 'protected'
        when (held.auto_linking <> 0 or held.config @> '{"trustEmail": true}') and not ${mayTrustAddresses}
        then 'address-trust'
        when ${state} then 'state'
        when links.has_links and ${issuer} then 'issuer'
        when links.has_links and ${client} and not ${mayChangeUsers} then 'client' end
      from ${linksOf(given)} as links)`;
  };
  const all = { ...change, refuse } as unknown as Change<"idps", MayChangeLinked & Values, IdpRefusal>;
  return prepareChange<MayChangeLinked & Values, IdpRefusal, "idps">("idps", all);
}
