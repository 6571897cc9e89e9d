import { create } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import {
  type UpdateHumanPhoneRequest,
  type UpdateHumanPhoneResponse,
  UpdateHumanPhoneResponseSchema,
} from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { insertCodes } from "../codes/issue-code.ts";
import { isId } from "../crypto/secrets.ts";
import { type Param, prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { type Problems, SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { retryWhenChanged } from "../events/retry-when-changed.ts";
import { parsePhone } from "../fields/phone.ts";
import { type Issued, issuedToJson, type Outbox, type OutboxValues, queueMessages } from "../messages/outbox.ts";

/** A checked UpdateHumanPhoneRequest. */
export interface PhoneChange {
  readonly userId: string;
  /** E.164. */
  readonly phone: string;
  readonly verified: boolean;
}

/** Checks the rules of UpdateHumanPhoneRequest that the schema cannot express, and parses the number. */
export function checkUpdateHumanPhone(request: UpdateHumanPhoneRequest, problems: Problems): PhoneChange {
  const phone = parsePhone(request.phone);
  if (!phone.ok) problems.add("phone", phone.description);
  return { userId: request.userId, phone: phone.ok ? phone.e164 : "", verified: request.isPhoneVerified };
}

/**
 * Changes the phone number of a human user (docs/api.md).
 *
 * A number that is already stored and verified, sent again as verified, changes nothing: the response has the details of
 * the last event. An unverified number gets an SMS if an SMS provider is configured.
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function updateHumanPhone(
  { db, outbox, clock }: { readonly db: Kysely<Tables>; readonly outbox: Outbox; readonly clock: Clock },
  { userId, phone, verified }: PhoneChange,
  call: Call,
): Promise<UpdateHumanPhoneResponse> {
  if (!isId(userId)) throw userNotFound();
  const issued = !verified && outbox.sendsSms ? [outbox.phoneVerification(phone)] : [];
  const values = {
    ownerId: call.orgId,
    aggregateId: userId,
    editorId: call.userId,
    phone,
    verified,
    now: clock(),
    events: eventsToJson(toEvents(phone, verified, issued)),
    ...issuedToJson(issued),
  };
  // A concurrent change and an unknown user look the same: no row.
  const row = await retryWhenChanged(async () => (await updatePhone(db, values, call))[0], userNotFound);
  outbox.announce(issued);
  return create(UpdateHumanPhoneResponseSchema, { details: toObjectDetails(row, call.orgId) });
}

function toEvents(phone: string, verified: boolean, issued: readonly Issued[]): NewEvent[] {
  return [
    { type: "user.human.phone.changed", payload: { phone } },
    ...(verified ? [{ type: "user.human.phone.verified", payload: { phone } } as const] : []),
    ...issued.map(({ code: { event } }) => event),
  ];
}

function userNotFound(): SignetError {
  return new SignetError("USER_NOT_FOUND", "userId: no human user of the organization has this id");
}

interface UpdatePhoneValues extends OutboxValues {
  phone: string;
  verified: boolean;
}

/**
 * Writes the number, the events and the message. Returns the user's details; no row if there is no such human user, or
 * if a concurrent change has set another number since the statement's snapshot.
 */
const updatePhone = prepareStatement<UpdatePhoneValues, ObjectRow>((db, param) =>
  db
    .with("changed", (query) =>
      query
        .updateTable("users")
        .set({
          phone: param("phone", "text"),
          phone_verified: param("verified", "boolean"),
          ...changedColumns(param, "users"),
        })
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("kind", "=", "human")
        .where(({ not }) => not(isStored(param)))
        .returning(["sequence", "created_at", "changed_at"]),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .with("coded", () => insertCodes(param, "changed"))
    .with("queued", () => queueMessages(param, "changed"))
    // Locks the row, to read it as the last writer left it and not as of this statement's snapshot.
    .with("unchanged", (query) =>
      query
        .selectFrom("users")
        .select(["sequence", "created_at", "changed_at"])
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("kind", "=", "human")
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom("changed").select("sequence"))))
        .where(isStored(param))
        .forUpdate(),
    )
    .selectFrom("changed")
    .selectAll()
    .unionAll((eb) => eb.selectFrom("unchanged").selectAll()),
);

/** Whether the number is already stored and verified, and sent as verified. */
function isStored(param: Param<UpdatePhoneValues>) {
  return sql<boolean>`(phone is not distinct from ${param("phone", "text")} and phone_verified and ${param("verified", "boolean")})`;
}
