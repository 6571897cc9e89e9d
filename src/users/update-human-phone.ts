import { create } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import {
  type UpdateHumanPhoneRequest,
  UpdateHumanPhoneRequestSchema,
  type UpdateHumanPhoneResponse,
  UpdateHumanPhoneResponseSchema,
} from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import { type Param, prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { checkMessage } from "../fields/check-message.ts";
import { parsePhone } from "../fields/phone.ts";
import {
  type Issued,
  insertCodes,
  issuedToJson,
  type Outbox,
  type OutboxValues,
  queueMessages,
} from "../messages/outbox.ts";

/**
 * Changes the phone number of a human user (docs/api.md).
 *
 * A number that is already stored and verified, sent again as verified, changes nothing: the details of the last event
 * are the answer. A number that is not verified gets an SMS, provided an SMS provider is configured.
 *
 * The function throws SignetError: INVALID_ARGUMENT, USER_NOT_FOUND, or what the database gives.
 */
export function createUpdateHumanPhone({ db, outbox, clock }: { db: Kysely<Tables>; outbox: Outbox; clock: Clock }) {
  const updatePhone = prepareUpdatePhone(db);

  return async (request: UpdateHumanPhoneRequest, call: Call): Promise<UpdateHumanPhoneResponse> => {
    const phone = checkRequest(request);
    const verified = request.isPhoneVerified;
    if (!isId(request.userId)) throw userNotFound();

    const issued = !verified && outbox.sendsSms ? [outbox.phoneVerification(phone)] : [];
    const events = toEvents(phone, verified, issued);
    const values = {
      ownerId: call.orgId,
      orgId: call.orgId,
      aggregateId: request.userId,
      userId: request.userId,
      editorId: call.userId,
      phone,
      verified,
      now: clock(),
      events: eventsToJson(events),
      ...issuedToJson(issued),
    };
    let [row] = await updatePhone(values);
    // Another change may have come between the two parts of the statement. That there is no such user looks the same, and
    // asking again does no harm.
    for (let attempt = 0; row === undefined && attempt < 3; attempt++) [row] = await updatePhone(values);
    if (row === undefined) throw userNotFound();
    outbox.announce(issued);
    return create(UpdateHumanPhoneResponseSchema, { details: toObjectDetails(row, call.orgId) });
  };
}

/** @returns The number as E.164. */
function checkRequest(request: UpdateHumanPhoneRequest): string {
  const phone = parsePhone(request.phone);
  checkMessage(UpdateHumanPhoneRequestSchema, request, () =>
    phone.ok ? [] : [{ field: "phone", description: phone.description }],
  );
  return phone.ok ? phone.e164 : "";
}

function toEvents(phone: string, verified: boolean, issued: readonly Issued[]): NewEvent[] {
  return [
    { type: "user.human.phone.changed", payload: { phone } },
    ...(verified ? [{ type: "user.human.phone.verified", payload: { phone } } as const] : []),
    ...issued.map(({ event }) => event),
  ];
}

function userNotFound(): SignetError {
  return new SignetError("USER_NOT_FOUND", "userId: no human user of the organization has this id");
}

interface UpdatePhoneValues extends EventValues, OutboxValues {
  phone: string;
  verified: boolean;
  now: Date;
}

/**
 * Writes the number, the events and the message. Gives the user's details; or no row where there is no such human, or
 * where a change that was under way has made the number another one than the statement found.
 */
function prepareUpdatePhone(db: Kysely<Tables>) {
  return prepareStatementOn<UpdatePhoneValues, ObjectRow>(db, (param) =>
    db
      .with("changed", (query) =>
        query
          .updateTable("users")
          .set({
            phone: param("phone", "text"),
            phone_verified: param("verified", "boolean"),
            sequence: sql`sequence + jsonb_array_length(${param("events", "jsonb")})`,
            changed_at: sql`greatest(changed_at, ${param("now", "timestamptz")})`,
          })
          .where("org_id", "=", param("orgId", "uuid"))
          .where("id", "=", param("userId", "uuid"))
          .where("kind", "=", "human")
          .where(({ not }) => not(isStored(param)))
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .with("coded", () => insertCodes(param, "changed"))
      .with("queued", () => queueMessages(param, "changed"))
      // Locked, so that what is read is the row as the last writer left it, not as this statement's snapshot has it.
      .with("unchanged", (query) =>
        query
          .selectFrom("users")
          .select(["sequence", "created_at", "changed_at"])
          .where("org_id", "=", param("orgId", "uuid"))
          .where("id", "=", param("userId", "uuid"))
          .where("kind", "=", "human")
          .where(({ not, exists, selectFrom }) => not(exists(selectFrom("changed").select("sequence"))))
          .where(isStored(param))
          .forUpdate(),
      )
      .selectFrom("changed")
      .selectAll()
      .unionAll((eb) => eb.selectFrom("unchanged").selectAll()),
  );
}

/** Already stored and verified, and sent as verified: nothing to change. */
function isStored(param: Param<UpdatePhoneValues>) {
  return sql<boolean>`(phone is not distinct from ${param("phone", "text")} and phone_verified and ${param("verified", "boolean")})`;
}
