import type { RegistrationResponseJSON, VerifiedRegistrationResponse } from "@simplewebauthn/server";
import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { isUsablePasskeyCode, type PasskeyCode, type PasskeyCodeValues } from "./passkey-code.ts";
import { type RelyingParty, verifyPasskey } from "./verify-passkey.ts";

/**
 * What became of a registration. Where it is not `registered` nothing was stored, and the link is as good as before.
 *
 * - `link-over`: the code is used, expired or replaced.
 * - `not-begun`: no challenge waits: none was asked for, or an answer to it was given already.
 * - `refused`: the answer does not fit the challenge, the origin or the relying party, or the user was not verified.
 * - `taken`: the passkey is registered already, for this user or another one.
 */
export type RegisterPasskeyOutcome = "registered" | "link-over" | "not-begun" | "refused" | "taken";

/**
 * Registers the passkey that an authenticator has made (WebAuthn, section 7.1), and uses the code up.
 *
 * The challenge serves once, whether the answer to it is right or wrong. The function throws SignetError where the
 * database gives an error.
 */
export function createRegisterPasskey({
  db,
  relyingParty,
  clock,
}: {
  db: Kysely<Tables>;
  relyingParty: RelyingParty;
  clock: Clock;
}) {
  const takeChallenge = prepareTakeChallenge(db);
  const isUsable = prepareIsUsable(db);
  const storePasskey = prepareStorePasskey(db);

  return async (code: PasskeyCode, response: RegistrationResponseJSON): Promise<RegisterPasskeyOutcome> => {
    const [taken] = await takeChallenge({ ...code, now: clock() });
    if (taken === undefined) return (await isUsable({ ...code, now: clock() })).length > 0 ? "not-begun" : "link-over";
    const passkey = await verifyPasskey(response, taken.challenge, relyingParty);
    if (passkey === undefined) return "refused";
    const [stored] = await storePasskey(toValues(code, passkey, clock()));
    if (stored === undefined) return "link-over";
    return stored.isNew ? "registered" : "taken";
  };
}

type Passkey = NonNullable<VerifiedRegistrationResponse["registrationInfo"]>;

function toValues(code: PasskeyCode, passkey: Passkey, now: Date): StoreValues {
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = passkey;
  return {
    ...code,
    ownerId: code.orgId,
    aggregateId: code.userId,
    editorId: code.userId,
    now,
    passkeyId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: [...new Set(credential.transports)],
    aaguid,
    deviceType: credentialDeviceType,
    backedUp: credentialBackedUp,
    events: eventsToJson([{ type: "user.human.passwordless.registered", payload: { passkeyId: credential.id } }]),
  };
}

/** Gives the challenge that waits for an answer, and clears it: of two answers at once only one gets it. */
function prepareTakeChallenge(db: Kysely<Tables>) {
  return prepareStatementOn<PasskeyCodeValues, { challenge: string }>(db, (param) =>
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
      .whereRef("codes.org_id", "=", "held.org_id")
      .whereRef("codes.id", "=", "held.id")
      .returning(sql<string>`held.challenge`.as("challenge")),
  );
}

function prepareIsUsable(db: Kysely<Tables>) {
  return prepareStatementOn<PasskeyCodeValues, { id: string }>(db, (param) =>
    db.selectFrom("codes").select("id").where(isUsablePasskeyCode(param)),
  );
}

interface StoreValues extends PasskeyCodeValues, EventValues {
  passkeyId: string;
  publicKey: Buffer;
  counter: bigint;
  transports: string[];
  aaguid: string;
  deviceType: string;
  backedUp: boolean;
}

/**
 * Uses the code up, and writes the passkey and the event. Gives no row where the code cannot be used any more, and
 * writes nothing where the passkey's id is there already.
 */
function prepareStorePasskey(db: Kysely<Tables>) {
  return prepareStatementOn<StoreValues, { isNew: boolean }>(db, (param) =>
    db
      .with("held", (query) =>
        query
          // The user first: that is the order in which other statements lock.
          .selectFrom("users")
          .innerJoin("codes", (join) =>
            join.onRef("codes.org_id", "=", "users.org_id").onRef("codes.user_id", "=", "users.id"),
          )
          .select(["users.org_id", "users.id as user_id", "codes.id as code_id"])
          .select(sql<Date>`greatest(users.changed_at, ${param("now", "timestamptz")})`.as("at"))
          .where(isUsablePasskeyCode(param))
          .forUpdate(),
      )
      .with("inserted", (query) =>
        query
          .insertInto("passkeys")
          .columns([
            "org_id",
            "id",
            "user_id",
            "public_key",
            "counter",
            "transports",
            "aaguid",
            "device_type",
            "backed_up",
            "created_at",
          ])
          .expression(
            query
              .selectFrom("held")
              .select([
                "held.org_id",
                sql<string>`${param("passkeyId", "text")}`.as("id"),
                "held.user_id",
                sql<Buffer>`${param("publicKey", "bytea")}`.as("public_key"),
                sql<bigint>`${param("counter", "bigint")}`.as("counter"),
                sql<string[]>`${param("transports", "text[]")}`.as("transports"),
                sql<string>`${param("aaguid", "uuid")}`.as("aaguid"),
                sql<"singleDevice">`${param("deviceType", "text")}`.as("device_type"),
                sql<boolean>`${param("backedUp", "boolean")}`.as("backed_up"),
                "held.at",
              ]),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning(["org_id", "user_id", "created_at"]),
      )
      .with("used", (query) =>
        query
          .updateTable("codes")
          .from("inserted")
          .set({ used_at: (eb) => eb.ref("inserted.created_at"), challenge: null })
          .whereRef("codes.org_id", "=", "inserted.org_id")
          .where("codes.id", "=", param("codeId", "uuid"))
          .returning("codes.id"),
      )
      .with("changed", (query) =>
        query
          .updateTable("users")
          .from("inserted")
          .set({
            sequence: sql`users.sequence + jsonb_array_length(${param("events", "jsonb")})`,
            changed_at: (eb) => eb.ref("inserted.created_at"),
          })
          .whereRef("users.org_id", "=", "inserted.org_id")
          .whereRef("users.id", "=", "inserted.user_id")
          .returning(["users.sequence", "users.changed_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .selectFrom("held")
      .select(({ exists, selectFrom }) => exists(selectFrom("inserted").select("org_id")).as("isNew"))
      .$castTo<{ isNew: boolean }>(),
  );
}
