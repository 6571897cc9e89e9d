import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { SignetError } from "../errors.ts";
import { eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { ChangedObject, ChangeStatement } from "../events/prepare-change.ts";
import { addressTrustProtected } from "./address-trust.ts";
import { type IdpOwner, idpNotFound } from "./idp-owner.ts";
import { linkedUserProtected, type MayChangeLinked, mayChangeLinked } from "./linked-users.ts";
import type { IdpRefusal } from "./prepare-idp-change.ts";

export interface ChangeIdpParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** Which provider to change, the values of the statement, and the event that it appends. */
export type IdpToChange<Values extends object> = {
  readonly idpId: string;
  /** The name of the id in the request. */
  readonly field?: "id" | "idpId";
  readonly event: NewEvent;
} & Values;

/**
 * Runs a statement of `prepareIdpChange` for a provider of an owner.
 *
 * @returns The details of the last event, also if nothing was changed.
 * @throws SignetError IDP_NOT_FOUND, IDP_STATE, IDP_HAS_LINKS, PERMISSION_DENIED for a provider with a linked user whom
 *   the caller may not change, or for a failure of the database.
 */
export async function changeIdp<Values extends object>(
  { db, clock }: ChangeIdpParts,
  statement: ChangeStatement<MayChangeLinked & Values, IdpRefusal>,
  owner: IdpOwner,
  { idpId, field = "idpId", event, ...values }: IdpToChange<Values>,
  call: Call<Principal | Operator>,
): Promise<Changed> {
  if (!isId(idpId)) throw idpNotFound(owner, field, idpId);
  const [row] = await statement(
    db,
    {
      ...(values as unknown as Values),
      ...mayChangeLinked(call),
      ownerId: owner.id,
      aggregateId: idpId.toLowerCase(),
      editorId: call.userId,
      now: clock(),
      events: eventsToJson([event]),
    },
    call,
  );
  if (row === undefined) throw idpNotFound(owner, field, idpId);
  if (row.refusal === "kind") throw idpNotFound(owner, field, idpId);
  if (row.refusal !== null) throw toRefusal(row.refusal, row);
  return toChanged(row, owner.id);
}

function toRefusal(refusal: Exclude<IdpRefusal, "kind">, { state }: ChangedObject<IdpRefusal>): SignetError {
  switch (refusal) {
    case "protected":
      return linkedUserProtected();
    case "address-trust":
      return addressTrustProtected();
    case "state": {
      const name = state === "active" ? "IDP_STATE_ACTIVE" : "IDP_STATE_INACTIVE";
      const message = `the call is not allowed for an identity provider in the state ${name}`;
      return new SignetError("IDP_STATE", message, { metadata: { state: name } });
    }
    case "issuer": {
      const message =
        "issuer: cannot be changed while users are linked to the provider, and neither can endpoints, because another " +
        "one could name any of them; add a new provider";
      return new SignetError("IDP_HAS_LINKS", message, { metadata: { field: "issuer" } });
    }
    case "client": {
      const permission = "user.write";
      const message = `clientId: the caller lacks the permission ${permission}, and users are linked to the provider`;
      return new SignetError("PERMISSION_DENIED", message, { metadata: { permission } });
    }
    default:
      return refusal satisfies never;
  }
}
