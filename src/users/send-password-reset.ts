import { create } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import {
  type SendHumanResetPasswordNotificationRequest,
  SendHumanResetPasswordNotificationRequest_Type,
  type SendHumanResetPasswordNotificationResponse,
  SendHumanResetPasswordNotificationResponseSchema,
} from "../../gen/signet/v1/user_credential_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { insertCodes } from "../codes/issue-code.ts";
import { isId } from "../crypto/secrets.ts";
import { columnsOf } from "../database/command-list.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { humanNotFound, SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../events/append-events.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { issuedToJson, type Outbox, type OutboxValues, queueMessages } from "../messages/outbox.ts";

/** What `sendPasswordReset` needs. */
export interface SendPasswordResetParts {
  readonly db: Kysely<Tables>;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/**
 * Sends a human user a link to set a new password, to the verified address or number (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, SENDER_NOT_CONFIGURED, USER_STATE, RECIPIENT_NOT_VERIFIED, or for a failure of the
 *   database.
 */
export async function sendPasswordReset(
  { db, outbox, clock }: SendPasswordResetParts,
  { userId, type }: SendHumanResetPasswordNotificationRequest,
  call: Call,
): Promise<SendHumanResetPasswordNotificationResponse> {
  if (!isId(userId)) throw humanNotFound();
  const channel = type === SendHumanResetPasswordNotificationRequest_Type.SMS ? "sms" : "email";
  const issued = [outbox.passwordReset(channel)];
  const [row] = await insertReset(
    db,
    {
      ownerId: call.orgId,
      aggregateId: userId.toLowerCase(),
      editorId: call.userId,
      channel,
      canSend: channel === "sms" ? outbox.sendsSms : outbox.sendsEmail,
      now: clock(),
      events: eventsToJson(issued.map(({ code: { event } }) => event)),
      ...issuedToJson(issued),
    },
    call,
  );
  if (row === undefined) throw humanNotFound();
  if (row.sequence === null) throw toRefusal(row, channel);
  outbox.announce(issued);
  return create(SendHumanResetPasswordNotificationResponseSchema, { details: toObjectDetails(row, call.orgId) });
}

type Channel = "email" | "sms";

function toRefusal({ state, recipient }: Refused, channel: Channel): SignetError {
  if (state !== "active") return new SignetError("USER_STATE", `the user is ${state}, and must be active`);
  if (recipient === null) {
    const what = channel === "sms" ? "phone number" : "email address";
    return new SignetError("RECIPIENT_NOT_VERIFIED", `the user has no verified ${what}`);
  }
  const what = channel === "sms" ? "SMS provider" : "mail server";
  return new SignetError("SENDER_NOT_CONFIGURED", `no ${what} is configured`);
}

interface Refused {
  readonly sequence: null;
  readonly state: string;
  readonly recipient: string | null;
}

interface InsertResetValues extends OutboxValues {
  channel: Channel;
  canSend: boolean;
}

/**
 * Writes the code, the event and the message. The recipient is the user's, which the statement reads. Returns no row if
 * there is no such human user, and one without a sequence if nothing can be sent.
 */
const insertReset = prepareWrite<InsertResetValues, ObjectRow | Refused>((db, param) => {
  const written = columnsOf<OutboxValues>("changed");
  const withRecipient = (list: "codes" | "messages") =>
    sql<string>`jsonb_set(${param(list, "jsonb")}, '{0,recipient}', to_jsonb(changed.recipient))`.as(list);
  return db
    .with("held", (query) =>
      query
        .selectFrom("users")
        .select(["org_id", "id", "state"])
        .select(
          sql<string | null>`case
            when ${param("channel", "text")} = 'sms' then case when phone_verified then phone end
            when email_verified then email end`.as("recipient"),
        )
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("kind", "=", "human")
        .forNoKeyUpdate(),
    )
    .with("changed", (query) =>
      query
        .updateTable("users")
        .from("held")
        .set(changedColumns(param, "users"))
        .whereRef("users.org_id", "=", "held.org_id")
        .whereRef("users.id", "=", "held.id")
        .where("held.state", "=", "active")
        .where("held.recipient", "is not", null)
        .where(param("canSend", "boolean"))
        .returning(["users.sequence", "users.created_at", "users.changed_at", "held.recipient"]),
    )
    .with("written", (query) =>
      query
        .selectFrom("changed")
        .selectAll()
        .select([
          sql<string>`${param("ownerId", "uuid")}`.as("ownerId"),
          sql<string>`${param("aggregateId", "uuid")}`.as("aggregateId"),
          sql<string>`${param("editorId", "uuid")}`.as("editorId"),
          sql<Date>`${param("now", "timestamptz")}`.as("now"),
          sql<string>`${param("events", "jsonb")}`.as("events"),
          withRecipient("codes"),
          withRecipient("messages"),
        ]),
    )
    .with("appended", () => appendEvents(written, "written"))
    .with("coded", () => insertCodes(written, "written"))
    .with("queued", () => queueMessages(written, "written"))
    .selectFrom("held")
    .leftJoin("changed", (join) => join.onTrue())
    .select(["held.state", "held.recipient", "changed.sequence", "changed.created_at", "changed.changed_at"])
    .$castTo<ObjectRow | Refused>();
});
