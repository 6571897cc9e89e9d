import { createHash, hash } from "node:crypto";
import { sql } from "kysely";
import type { QueryCaller } from "../../call.ts";
import { createClientSecret, hashSecret } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";

/** The time limit at the provider. */
export const ATTEMPT_SECONDS = 10 * 60;

/** The values in the requests to the provider. */
export interface AttemptValues {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** An attempt started by the browser. `secret` is stored only in a cookie of the browser. */
interface BegunAttempt extends AttemptValues {
  readonly secret: string;
}

/** An attempt that the provider has responded to. */
export interface UsedAttempt extends AttemptValues {
  readonly remember: boolean;
  readonly startedAt: Date;
  /** The response of a SAML provider; null for all others. */
  readonly response: string | null;
}

/**
 * Stores an attempt to sign in with a provider. Replaces an earlier attempt of the same sign-in, so that repeated
 * clicks add no rows.
 *
 * @param attempt `state`: different for each attempt, and not predictable.
 */
export async function beginIdpAttempt(
  { db, clock }: ChangeParts,
  attempt: {
    readonly signInId: string;
    readonly state: string;
    /** Of a SAML provider: what leads from its response to the sign-in. */
    readonly origin: string | null;
    readonly idp: SignInIdp;
    readonly remember: boolean;
  },
  caller: QueryCaller,
): Promise<BegunAttempt> {
  const { signInId, state, origin, idp, remember } = attempt;
  const secret = createClientSecret();
  await upsertAttempt(
    db,
    {
      signInHash: hashSecret(signInId),
      stateHash: hashSecret(state),
      origin,
      browserHash: hashSecret(secret),
      ownerId: idp.ownerId,
      idpId: idp.id,
      remember,
      expiresAt: new Date(clock().getTime() + ATTEMPT_SECONDS * 1_000),
    },
    caller,
  );
  return { ...toValues(state, secret), secret };
}

/**
 * Uses up an attempt.
 *
 * @param given `idpId`: the provider whose callback was called; `secret`: from the browser's cookie.
 * @returns Undefined if there is no attempt with these values, or it has expired or was used.
 */
export async function useIdpAttempt(
  { db, clock }: ChangeParts,
  given: { readonly signInId: string; readonly idpId: string; readonly state: string; readonly secret: string },
  caller: QueryCaller,
): Promise<UsedAttempt | undefined> {
  const { signInId, idpId, state, secret } = given;
  const values = {
    signInHash: hashSecret(signInId),
    stateHash: hashSecret(state),
    browserHash: hashSecret(secret),
    idpId,
    now: clock(),
  };
  const [row] = await deleteAttempt(db, values, caller);
  if (row === undefined) return undefined;
  const startedAt = new Date(row.expires_at.getTime() - ATTEMPT_SECONDS * 1_000);
  return { ...toValues(state, secret), remember: row.remember, startedAt, response: row.response };
}

/**
 * The `RelayState` of a request to a SAML provider: at most 80 bytes (SAML 2.0 Bindings, sections 3.4.3 and 3.5.3), and
 * of a form that needs no look-up to be refused.
 */
export function createRelayState(): string {
  return createClientSecret();
}

const RELAY_STATE = /^[\w-]{43}$/;

/**
 * Stores the response of a SAML provider with its attempt, until the browser's next request, which has the cookie. Only
 * the first response is stored.
 *
 * @returns The `origin` of the attempt, also of one that has just expired; undefined if there is none.
 */
export async function storeIdpResponse(
  { db, clock }: ChangeParts,
  { state, idpId, response }: { readonly state: string; readonly idpId: string; readonly response: string },
  caller: QueryCaller,
): Promise<string | undefined> {
  if (!RELAY_STATE.test(state)) return undefined;
  const [row] = await updateResponse(db, { stateHash: hashSecret(state), idpId, response, now: clock() }, caller);
  return row?.origin ?? undefined;
}

/** The part of the name of a sign-in's cookies. Reveals nothing about the id. */
export function signInTag(signInId: string): string {
  return hash("sha256", `tag ${signInId}`, "base64url").slice(0, 12);
}

/** The values are derived from the browser's secret, which is not stored (OpenID Connect Core 1.0, section 15.5.2). */
function toValues(state: string, secret: string): AttemptValues {
  const derive = (purpose: string) => createHash("sha256").update(`${purpose} ${secret}`).digest("base64url");
  return { state, nonce: derive("nonce"), codeVerifier: derive("code verifier") };
}

interface UpsertValues {
  signInHash: Buffer;
  stateHash: Buffer;
  origin: string | null;
  browserHash: Buffer;
  ownerId: string;
  idpId: string;
  remember: boolean;
  expiresAt: Date;
}

const upsertAttempt = prepareStatement<UpsertValues, unknown>((db, param) =>
  db
    .insertInto("idp_attempts")
    .values({
      sign_in_hash: param("signInHash", "bytea"),
      state_hash: param("stateHash", "bytea"),
      origin: param("origin", "text"),
      browser_hash: param("browserHash", "bytea"),
      idp_owner_id: param("ownerId", "uuid"),
      idp_id: param("idpId", "uuid"),
      remember: param("remember", "boolean"),
      expires_at: param("expiresAt", "timestamptz"),
    })
    .onConflict((conflict) =>
      conflict.column("sign_in_hash").doUpdateSet({
        state_hash: sql`excluded.state_hash`,
        origin: sql`excluded.origin`,
        browser_hash: sql`excluded.browser_hash`,
        idp_owner_id: sql`excluded.idp_owner_id`,
        idp_id: sql`excluded.idp_id`,
        remember: sql`excluded.remember`,
        expires_at: sql`excluded.expires_at`,
        response: sql`null`,
      }),
    ),
);

type DeleteValues = Pick<UpsertValues, "signInHash" | "stateHash" | "browserHash" | "idpId"> & { now: Date };

const deleteAttempt = prepareStatement<DeleteValues, { remember: boolean; expires_at: Date; response: string | null }>(
  (db, param) =>
    db
      .deleteFrom("idp_attempts")
      .where("sign_in_hash", "=", param("signInHash", "bytea"))
      .where("state_hash", "=", param("stateHash", "bytea"))
      .where("browser_hash", "=", param("browserHash", "bytea"))
      .where("idp_id", "=", param("idpId", "uuid"))
      .where("expires_at", ">", param("now", "timestamptz"))
      .returning(["remember", "expires_at", "response"]),
);

type ResponseValues = Pick<UpsertValues, "stateHash" | "idpId"> & { response: string; now: Date };

const updateResponse = prepareStatement<ResponseValues, { origin: string | null }>((db, param) =>
  db
    .updateTable("idp_attempts")
    .set({
      response: sql`case when response is null and expires_at > ${param("now", "timestamptz")}
        then ${param("response", "text")} else response end`,
    })
    .where("state_hash", "=", param("stateHash", "bytea"))
    .where("idp_id", "=", param("idpId", "uuid"))
    .where("origin", "is not", null)
    .returning("origin"),
);
