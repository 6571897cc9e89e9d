import { decodeJwt } from "jose/jwt/decode";
import { type Kysely, sql } from "kysely";
import type { AdapterPayload, Provider } from "oidc-provider";
import type { Clock } from "../clock.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { chooseLanguage, type Language } from "../messages/languages.ts";
import { changeUserRow } from "../users/change-user-row.ts";
import type { SignInRequest, SignInRequests } from "../web/sign-in/sign-in-requests.ts";
import { type CookieSigner, readSignedCookie } from "./cookie-signer.ts";
import { endSession } from "./end-session.ts";
import { findPendingSignIn } from "./pending-sign-in.ts";

type Session = InstanceType<Provider["Session"]>;

interface SignInRequestsParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly signer: CookieSigner;
  readonly currentProvider: () => Promise<Provider>;
}

export function createSignInRequests({ db, clock, signer, currentProvider }: SignInRequestsParts): SignInRequests {
  return {
    async find(id, cookies) {
      const provider = await currentProvider();
      if (readSignedCookie(signer, cookies, provider.cookieName("interaction")) !== id) return undefined;
      const sessionId = readSignedCookie(signer, cookies, provider.cookieName("session"));
      const [pending, session] = await Promise.all([
        findPendingSignIn(db, id, clock()),
        sessionId === undefined ? undefined : provider.Session.find(sessionId),
      ]);
      if (pending === undefined) return undefined;
      const { interaction, app, org, provedUserId } = pending;
      const { params = {}, returnTo = "" } = interaction;
      return {
        id,
        app,
        org,
        loginHint: toText(params.login_hint),
        language: toLanguage(params.ui_locales),
        expectedUserId: expectedUserId(interaction, session),
        provedUserId,
        session: session?.accountId === undefined ? undefined : { id: session.uid, userId: session.accountId },
        returnTo,
      };
    },

    async prove(request, { userId, sequence }) {
      await storeProvedUser(db, { key: hashSecret(request.id), orgId: request.org.id, userId, sequence });
    },

    async finish(request, { userId, sequence, passwordHash, methods, remember, idpId }) {
      const now = clock();
      const login = { accountId: userId, amr: methods, remember, ts: Math.floor(now.getTime() / 1_000) };
      const payload = { appId: request.app.id, methods: [...methods], ...(idpId && { idpId }) };
      const [row] = await finishInteraction(db, {
        ownerId: request.org.id,
        aggregateId: userId,
        editorId: userId,
        sequence,
        passwordHash,
        key: hashSecret(request.id),
        result: JSON.stringify({ result: { login, select_account: {} } }),
        now,
        events: eventsToJson([{ type: "user.human.signed.in", payload }]),
      });
      if (row === undefined) {
        throw new SignetError(
          "USER_NOT_FOUND",
          "the user may not sign in, the user's sessions have ended, or the sign-in has expired",
        );
      }
      const { session, returnTo } = request;
      if (session !== undefined && session.userId !== userId) await endSessionOf(await currentProvider(), session);
      return returnTo;
    },

    async decline(request) {
      const result = { error: "access_denied", error_description: "the person canceled the sign-in" };
      await storeResult(db, { key: hashSecret(request.id), result: JSON.stringify({ result }) });
      return request.returnTo;
    },
  };
}

/** Ends the session of a browser in which another user has signed in. */
async function endSessionOf(provider: Provider, { id }: NonNullable<SignInRequest["session"]>): Promise<void> {
  const session = await provider.Session.findByUid(id);
  if (session !== undefined) await endSession(provider, session);
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The first supported language of `ui_locales`, which are separated by spaces (OpenID Connect Core 1.0, section 3.1.2.1). */
export function toLanguage(uiLocales: unknown): Language | undefined {
  for (const tag of toText(uiLocales)?.split(" ") ?? []) {
    const language = chooseLanguage(tag);
    if (language !== undefined) return language;
  }
  return undefined;
}

interface ProvedValues {
  key: Buffer;
  orgId: string;
  userId: string;
  sequence: bigint;
}

const storeProvedUser = prepareStatement<ProvedValues, never>((db, param) =>
  db
    // Locked, so that a concurrent end of the sessions either has already happened, or ends this sign-in too.
    .with("held", (query) =>
      query
        .selectFrom("users")
        .select("id")
        .where("org_id", "=", param("orgId", "uuid"))
        .where("id", "=", param("userId", "uuid"))
        .where("sessions_ended_sequence", "<=", param("sequence", "bigint"))
        .forShare(),
    )
    .updateTable("oidc_artifacts")
    .from("held")
    .set((eb) => ({ user_id: eb.ref("held.id") }))
    .where("oidc_artifacts.kind", "=", "Interaction")
    .where("oidc_artifacts.key", "=", param("key", "bytea"))
    .$castTo<never>(),
);

const storeResult = prepareStatement<{ key: Buffer; result: string }, never>((db, param) =>
  db
    .updateTable("oidc_artifacts")
    .set({ payload: sql`payload || ${param("result", "jsonb")}` })
    .where("kind", "=", "Interaction")
    .where("key", "=", param("key", "bytea"))
    .$castTo<never>(),
);

/** The hint was verified when the request arrived. */
function expectedUserId({ params, prompt }: AdapterPayload, session: Session | undefined): string | undefined {
  const hint = toText(params?.id_token_hint);
  if (hint !== undefined) return decodeJwt(hint).sub;
  const isRepeated = prompt?.reasons.some((reason) => reason === "login_prompt" || reason === "max_age");
  return isRepeated ? session?.accountId : undefined;
}

interface FinishValues extends EventValues {
  key: Buffer;
  sequence: bigint;
  passwordHash: string | null;
  result: string;
}

/**
 * Stores the result and records the sign-in if the user is active with the same password, the sessions have not ended since
 * the proof, and the request has not expired.
 *
 * From then on, the interaction belongs to the user and ends with the user's sessions, because the browser may follow
 * the redirect that starts the session much later. The session in which the interaction began is dropped: it may have
 * ended, or belong to another user.
 */
const finishInteraction = prepareStatement<FinishValues, unknown>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param)
        .where("kind", "=", "human")
        .where("state", "=", "active")
        .where("sessions_ended_sequence", "<=", param("sequence", "bigint"))
        .where("password_hash", "is not distinct from", param("passwordHash", "text"))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom("oidc_artifacts")
              .select("key")
              .where("kind", "=", "Interaction")
              .where("key", "=", param("key", "bytea"))
              .where("expires_at", ">", param("now", "timestamptz")),
          ),
        ),
    )
    .with("finished", (query) =>
      query
        .updateTable("oidc_artifacts")
        .set({
          user_id: param("aggregateId", "uuid"),
          payload: sql`(payload - 'session') || ${param("result", "jsonb")}`,
        })
        .where("kind", "=", "Interaction")
        .where("key", "=", param("key", "bytea"))
        .where(({ exists, selectFrom }) => exists(selectFrom("changed").select("sequence"))),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .selectAll(),
);
