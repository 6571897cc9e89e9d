import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type UpdateHumanPhoneRequest,
  type UpdateHumanPhoneResponse,
  UpdateHumanPhoneResponseSchema,
} from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { insertCodes } from "../codes/issue-code.ts";
import { isId } from "../crypto/secrets.ts";
import {
  type Columns,
  columnsOf,
  commandRows,
  isExpectedOnce,
  type ListValues,
  type Numbered,
} from "../database/command-list.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { CommandKind, RunTogether } from "../database/run-together.ts";
import { humanNotFound, type Problems } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { parsePhone } from "../fields/phone.ts";
import {
  type Issued,
  issuedToRows,
  LISTED_OUTBOX_COLUMNS,
  type ListedOutboxValues,
  type Outbox,
  type OutboxValues,
  queueMessages,
} from "../messages/outbox.ts";

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

/** What `updateHumanPhone` needs. */
export interface UpdateHumanPhoneParts {
  readonly runTogether: RunTogether;
  readonly outbox: Outbox;
  readonly clock: Clock;
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
  { runTogether, outbox, clock }: UpdateHumanPhoneParts,
  { userId, phone, verified }: PhoneChange,
  call: Call,
): Promise<UpdateHumanPhoneResponse> {
  if (!isId(userId)) throw humanNotFound();
  const issued = !verified && outbox.sendsSms ? [outbox.phoneVerification(phone)] : [];
  const row = await runTogether(
    UPDATE_PHONE,
    {
      ...issuedToRows(issued),
      ownerId: call.orgId,
      aggregateId: userId.toLowerCase(),
      editorId: call.userId,
      phone,
      verified,
      now: clock(),
      events: toEvents(phone, verified, issued),
    },
    call,
  );
  if (row === undefined) throw humanNotFound();
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

interface UpdatePhone extends ListedOutboxValues {
  phone: string;
  verified: boolean;
}

const COLUMNS = {
  ...LISTED_OUTBOX_COLUMNS,
  phone: "text",
  verified: "boolean",
} as const satisfies Columns<UpdatePhone>;

/**
 * Writes the numbers, the events and the messages. Returns the details of each user; no row if there is no such human
 * user.
 */
const updatePhones = prepareWrite<ListValues, ObjectRow & Numbered>((db, param) => {
  const held = columnsOf<OutboxValues>("held");
  const written = columnsOf<OutboxValues>("changed");
  return (
    db
      .with("given", () => commandRows<UpdatePhone>(param("commands", "jsonb"), COLUMNS))
      // Locks the rows, to read them as the last writer left them and not as of this statement's snapshot; in the order of
      // their ids, so that two statements wait for each other instead of deadlocking.
      .with("held", (query) =>
        query
          .selectFrom((eb) =>
            eb.selectFrom("given").selectAll().where(isExpectedOnce).orderBy("aggregateId").as("given"),
          )
          .innerJoinLateral(
            (eb) =>
              eb
                .selectFrom("users")
                .select(["users.sequence", "users.created_at", "users.changed_at"])
                .select(
                  // The number is already stored and verified, and sent as verified.
                  sql<boolean>`(users.phone is not distinct from given.phone and users.phone_verified and given.verified)`.as(
                    "is_stored",
                  ),
                )
                .whereRef("users.org_id", "=", "given.ownerId")
                .whereRef("users.id", "=", "given.aggregateId")
                .where("users.kind", "=", "human")
                .forNoKeyUpdate()
                .as("found"),
            (join) => join.onTrue(),
          )
          .selectAll("given")
          .select(["found.sequence", "found.created_at", "found.changed_at", "found.is_stored"]),
      )
      .with("changed", (query) =>
        query
          .updateTable("users")
          .from("held")
          .set({
            phone: (eb) => eb.ref("held.phone"),
            phone_verified: (eb) => eb.ref("held.verified"),
            ...changedColumns(held, "users"),
          })
          .whereRef("users.org_id", "=", "held.ownerId")
          .whereRef("users.id", "=", "held.aggregateId")
          .where("held.is_stored", "=", false)
          .returning(["held.number", "users.sequence", "users.created_at", "users.changed_at"]),
      )
      .with("written", (query) =>
        query
          .selectFrom("given")
          .innerJoin("changed", "changed.number", "given.number")
          .selectAll("given")
          .select(["changed.sequence", "changed.created_at", "changed.changed_at"]),
      )
      .with("appended", () => appendEvents(written, "written"))
      .with("coded", () => insertCodes(written, "written"))
      .with("queued", () => queueMessages(written, "written"))
      .selectFrom("changed")
      .select(["number", "sequence", "created_at", "changed_at"])
      .unionAll((eb) =>
        eb.selectFrom("held").select(["number", "sequence", "created_at", "changed_at"]).where("is_stored", "=", true),
      )
  );
});

const UPDATE_PHONE: CommandKind<UpdatePhone, ObjectRow> = {
  statement: updatePhones,
  toGroup: ({ ownerId }) => ownerId,
  toKeys: ({ aggregateId }) => [aggregateId],
};
