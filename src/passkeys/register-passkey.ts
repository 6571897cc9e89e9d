import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../call.ts";
import type { FindCodeParts } from "../codes/find-code.ts";
import { type Param, prepareStatement } from "../database/prepare.ts";
import { changedColumns, changeTime } from "../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../events/append-events.ts";
import { type NoticeRow, type NoticeValues, queueNotices, verifiedEmail } from "../messages/notices.ts";
import type { Outbox } from "../messages/outbox.ts";
import { type NewPasskey, type RelyingParty, verifyPasskey } from "./ceremony.ts";
import { isUsablePasskeyCode, type PasskeyCode, type PasskeyCodeValues, passkeyCodeToValues } from "./passkey-code.ts";

/**
 * Outcomes of a registration. Except for `registered`, nothing is stored, and the link can still be used.
 *
 * - `link-over`: the code is used, expired or replaced.
 * - `not-begun`: the code has no challenge, because none was requested or a response has used it.
 * - `refused`: the response does not match the challenge, the origin or the relying party, or the user was not
 *   verified.
 * - `taken`: the passkey is already registered, for this user or another one.
 */
type RegisterPasskeyOutcome = "registered" | "link-over" | "not-begun" | "refused" | "taken";

/** What `registerPasskey` needs. */
export interface RegisterPasskeyParts extends FindCodeParts {
  readonly relyingParty: RelyingParty;
  readonly outbox: Outbox;
}

/**
 * Registers a passkey created by an authenticator (WebAuthn, section 7.1), and marks the code as used.
 *
 * A challenge is valid for one response, whether or not the response is valid.
 *
 * @throws SignetError for a failure of the database.
 */
export async function registerPasskey(
  { db, relyingParty, clock, outbox }: RegisterPasskeyParts,
  code: PasskeyCode,
  response: RegistrationResponseJSON,
  caller?: Caller,
): Promise<RegisterPasskeyOutcome> {
  const [taken] = await takeChallenge(db, passkeyCodeToValues(code, clock()), caller);
  if (taken === undefined) {
    return (await selectUsable(db, passkeyCodeToValues(code, clock()))).length > 0 ? "not-begun" : "link-over";
  }
  const passkey = await verifyPasskey(response, taken.challenge, relyingParty);
  if (passkey === undefined) return "refused";
  const notices = outbox.notices("passkey-added", { isOwn: true, userAgent: caller?.userAgent });
  const [stored] = await storePasskey(db, toValues(code, passkey, notices, clock()));
  if (stored === undefined) return "link-over";
  if (!stored.isNew) return "taken";
  outbox.announce([], notices);
  return "registered";
}

function toValues(code: PasskeyCode, passkey: NewPasskey, notices: readonly NoticeRow[], now: Date): StoreValues {
  const { id: passkeyId, counter, ...created } = passkey;
  return {
    ...passkeyCodeToValues(code, now),
    editorId: code.userId,
    ...created,
    passkeyId,
    counter: BigInt(counter),
    events: eventsToJson([{ type: "user.human.passwordless.registered", payload: { passkeyId } }]),
    notices: JSON.stringify(notices),
  };
}

/** `Passkey 1` for the first passkey of a user; for others, one more than the highest number so far. */
const nextName = sql<string>`(
  select 'Passkey ' || coalesce(max(substring(name from '^Passkey ([0-9]{1,9})$')::int), 0) + 1 from passkeys
  where passkeys.org_id = held.org_id and passkeys.user_id = held.user_id)`.as("name");

/** Returns the challenge and clears it, so that only one of several concurrent responses gets it. */
const takeChallenge = prepareStatement<PasskeyCodeValues, { challenge: string }>((db, param) =>
  db
    .updateTable("codes")
    .set({ challenge: null })
    .from((query) =>
      query
        .selectFrom("codes")
        .select(["org_id", "id", "challenge"])
        .where(isUsablePasskeyCode(param))
        .where("challenge", "is not", null)
        .forUpdate()
        .as("held"),
    )
    .where("codes.org_id", "=", param("ownerId", "uuid"))
    .whereRef("codes.id", "=", "held.id")
    .returning(sql<string>`held.challenge`.as("challenge")),
);

const selectUsable = prepareStatement<PasskeyCodeValues, { id: string }>((db, param) =>
  db.selectFrom("codes").select("id").where(isUsablePasskeyCode(param)),
);

interface StoreValues extends PasskeyCodeValues, NoticeValues {
  passkeyId: string;
  publicKey: Buffer;
  counter: bigint;
  transports: string[];
  aaguid: string;
  deviceType: string;
  backedUp: boolean;
}

/**
 * Marks the code as used, and writes the passkey and the event. Returns no row if the code is no longer usable. Writes
 * nothing if a passkey with this id exists.
 */
const storePasskey = prepareStatement<StoreValues, { isNew: boolean }>((db, param) =>
  db
    .with("held", (query) =>
      query
        // Lock the user first, as other statements do.
        .selectFrom("users")
        .innerJoin("codes", (join) =>
          join.onRef("codes.org_id", "=", "users.org_id").onRef("codes.user_id", "=", "users.id"),
        )
        .select(["users.org_id", "users.id as user_id", "codes.id as code_id"])
        .select(changeTime(param, "users").as("at"))
        .where(isUsablePasskeyCode(param))
        .forUpdate(),
    )
    .with("inserted", () => insertPasskey(param))
    .with("used", (query) =>
      query
        .updateTable("codes")
        .from("inserted")
        .set({ used_at: (eb) => eb.ref("inserted.created_at"), challenge: null })
        .where("codes.org_id", "=", param("ownerId", "uuid"))
        .where("codes.id", "=", param("codeId", "uuid"))
        .returning("codes.id"),
    )
    .with("changed", (query) =>
      query
        .updateTable("users")
        .from("inserted")
        .set(changedColumns(param, "users"))
        .where("users.org_id", "=", param("ownerId", "uuid"))
        .whereRef("users.id", "=", "inserted.user_id")
        .returning(["users.sequence", "users.changed_at", verifiedEmail.as("verified_email")]),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .with("notified", () => queueNotices(param, "changed"))
    .selectFrom("held")
    .select(({ exists, selectFrom }) => exists(selectFrom("inserted").select("org_id")).as("isNew"))
    .$castTo<{ isNew: boolean }>(),
);

function insertPasskey(param: Param<StoreValues>): RawBuilder<{ org_id: string; user_id: string; created_at: Date }> {
  return sql`(
    insert into passkeys (org_id, id, user_id, public_key, counter, transports, aaguid, device_type, backed_up, name,
      created_at)
    select held.org_id, ${param("passkeyId", "text")}, held.user_id, ${param("publicKey", "bytea")},
      ${param("counter", "bigint")}, ${param("transports", "text[]")}, ${param("aaguid", "uuid")},
      ${param("deviceType", "text")}, ${param("backedUp", "boolean")}, ${nextName}, held.at
    from held
    on conflict do nothing
    returning org_id, user_id, created_at)`;
}
