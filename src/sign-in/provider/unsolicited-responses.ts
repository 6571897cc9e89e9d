import { sql } from "kysely";
import type { QueryCaller } from "../../call.ts";
import { createClientSecret, hashSecret } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import type { ConfirmedExternal } from "./check-registration.ts";
import { ATTEMPT_SECONDS } from "./idp-attempts.ts";

/** Leads to a response that was accepted. Only the browser that brought the response has it. */
export interface UnsolicitedHandle {
  readonly assertion: string;
  readonly secret: string;
}

/**
 * Stores what a response without a request has confirmed, until its person has decided. The row remembers the id of the
 * assertion for longer than it is accepted (`UNSOLICITED_MS` and the differences of clocks), also once it was used.
 *
 * @returns Undefined if the assertion was accepted before.
 */
export async function storeUnsolicited(
  { db, clock }: ChangeParts,
  { idp, assertionId, external }: { idp: SignInIdp; assertionId: string; external: ConfirmedExternal },
  caller: QueryCaller,
): Promise<UnsolicitedHandle | undefined> {
  // No sign-in has such an id.
  const assertion = hashSecret(`unsolicited ${idp.id} ${assertionId}`);
  const secret = createClientSecret();
  const values = {
    assertion,
    secretHash: hashSecret(secret),
    ownerId: idp.ownerId,
    idpId: idp.id,
    external: JSON.stringify(external),
    expiresAt: new Date(clock().getTime() + ATTEMPT_SECONDS * 1_000),
  };
  const [row] = await insertResponse(db, values, caller);
  return row && { assertion: assertion.toString("base64url"), secret };
}

/** @returns Undefined if the response was used, or has expired. */
export async function readUnsolicited(
  { db, clock }: ChangeParts,
  handle: UnsolicitedHandle,
  caller: QueryCaller,
): Promise<ConfirmedExternal | undefined> {
  const [row] = await selectResponse(db, { ...toKey(handle), now: clock() }, caller);
  return row && JSON.parse(row.response);
}

/** Uses up a response: only one of several calls gets it. */
export async function useUnsolicited(
  { db, clock }: ChangeParts,
  handle: UnsolicitedHandle,
  caller: QueryCaller,
): Promise<ConfirmedExternal | undefined> {
  const [row] = await takeResponse(db, { ...toKey(handle), now: clock() }, caller);
  return row && JSON.parse(row.response);
}

function toKey({ assertion, secret }: UnsolicitedHandle) {
  return { assertion: Buffer.from(assertion, "base64url"), secretHash: hashSecret(secret) };
}

interface InsertValues {
  assertion: Buffer;
  secretHash: Buffer;
  ownerId: string;
  idpId: string;
  external: string;
  expiresAt: Date;
}

const insertResponse = prepareStatement<InsertValues, { idp_id: string }>((db, param) =>
  db
    .insertInto("idp_attempts")
    .values({
      sign_in_hash: param("assertion", "bytea"),
      // Without `origin`, no `RelayState` leads here.
      state_hash: param("secretHash", "bytea"),
      browser_hash: param("secretHash", "bytea"),
      idp_owner_id: param("ownerId", "uuid"),
      idp_id: param("idpId", "uuid"),
      remember: sql.lit(false),
      response: param("external", "text"),
      expires_at: param("expiresAt", "timestamptz"),
    })
    .onConflict((conflict) => conflict.column("sign_in_hash").doNothing())
    .returning("idp_id"),
);

type KeyValues = Pick<InsertValues, "assertion" | "secretHash"> & { now: Date };

const selectResponse = prepareStatement<KeyValues, { response: string }>((db, param) =>
  db
    .selectFrom("idp_attempts")
    .select("response")
    .where("sign_in_hash", "=", param("assertion", "bytea"))
    .where("browser_hash", "=", param("secretHash", "bytea"))
    .where("expires_at", ">", param("now", "timestamptz"))
    .where("response", "is not", null)
    .$castTo<{ response: string }>(),
);

const takeResponse = prepareStatement<KeyValues, { response: string }>((db, param) =>
  db
    .with("held", (query) =>
      query
        .selectFrom("idp_attempts")
        .select(["sign_in_hash", "response"])
        .where("sign_in_hash", "=", param("assertion", "bytea"))
        .where("browser_hash", "=", param("secretHash", "bytea"))
        .where("expires_at", ">", param("now", "timestamptz"))
        .where("response", "is not", null)
        .forUpdate(),
    )
    .updateTable("idp_attempts")
    .from("held")
    .set({ response: sql`null` })
    .whereRef("idp_attempts.sign_in_hash", "=", "held.sign_in_hash")
    .returning("held.response")
    .$castTo<{ response: string }>(),
);
