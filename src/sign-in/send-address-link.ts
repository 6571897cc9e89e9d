import type { Kysely } from "kysely";
import type { Clock } from "../clock.ts";
import type { Tables } from "../database/tables.ts";
import { eventsToJson } from "../events/append-events.ts";
import { issuedToJson, type Outbox } from "../messages/outbox.ts";
import { insertNewCode } from "../users/request-new-code.ts";
import type { SignInUser } from "./find-sign-in-user.ts";

/**
 * Sends a user the link that verifies the address: the initialization email if the user has not completed the
 * initialization. Sends nothing if the limits of `nextSendAt` are reached, or if the user has changed since it was
 * read, because a link has then already been sent.
 *
 * @throws SignetError for a failure of the database.
 */
export async function sendAddressLink(
  { db, outbox, clock }: { readonly db: Kysely<Tables>; readonly outbox: Outbox; readonly clock: Clock },
  { orgId, id, sequence, email, initialized }: SignInUser,
): Promise<void> {
  const issued = [initialized ? outbox.emailVerification(email) : outbox.initialization(email)];
  const [row] = await insertNewCode(db, {
    ownerId: orgId,
    aggregateId: id,
    editorId: id,
    kind: initialized ? "email" : "initialization",
    sequence,
    now: clock(),
    events: eventsToJson(issued.map(({ code: { event } }) => event)),
    ...issuedToJson(issued),
  });
  if (row !== undefined) outbox.announce(issued);
}
