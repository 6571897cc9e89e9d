import type { Kysely } from "kysely";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Write } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type IdpOwner, idpNotFound } from "./idp-owner.ts";
import type { ChangedIdp } from "./prepare-idp-change.ts";

export interface ChangeIdpParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

/** Which provider to change, the values of the statement, and the event that it appends. */
export type IdpToChange<Values extends object> = {
  readonly idpId: string;
  readonly event: NewEvent;
} & Values;

/**
 * Runs a statement of `prepareIdpChange` for a provider of an owner.
 *
 * @returns Its details; if nothing was changed, the details of the last event.
 * @throws SignetError IDP_NOT_FOUND, IDP_STATE, or for a failure of the database.
 */
export async function changeIdp<Values extends object>(
  { db, clock }: ChangeIdpParts,
  statement: Write<EventValues & Values, ChangedIdp>,
  owner: IdpOwner,
  { idpId, event, ...values }: IdpToChange<Values>,
  call: Call,
): Promise<ObjectDetails> {
  if (!isId(idpId)) throw idpNotFound(owner, "idpId", idpId);
  const [row] = await statement(
    db,
    {
      ...(values as unknown as Values),
      ownerId: owner.id,
      aggregateId: idpId.toLowerCase(),
      editorId: call.userId,
      now: clock(),
      events: eventsToJson([event]),
    },
    call,
  );
  if (row === undefined) throw idpNotFound(owner, "idpId", idpId);
  if (row.is_refused) throw wrongState(row);
  return toObjectDetails(row, owner.id);
}

function wrongState({ state }: ChangedIdp): SignetError {
  const name = state === "active" ? "IDP_STATE_ACTIVE" : "IDP_STATE_INACTIVE";
  const message = `the call is not allowed for an identity provider in the state ${name}`;
  return new SignetError("IDP_STATE", message, { metadata: { state: name } });
}
