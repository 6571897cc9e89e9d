import { decodeJwt } from "jose/jwt/decode";
import { type Expression, sql } from "kysely";
import type { AdapterPayload, Provider } from "oidc-provider";
import type { Clock } from "../clock.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { isActiveOrg, isActiveUser } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import { appendEvents, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type NoticeValues, queueNotices } from "../messages/notices.ts";
import { allowsDiscovery } from "../policies/get-login-policy.ts";
import { type FailureValues, forgiveFailures } from "../sign-in/attempt-limit.ts";
import { signInLifetime } from "../sign-in/methods.ts";
import { toCheckEvent } from "../sign-in/password/record-password-events.ts";
import type { Proved, ProvedByIdp } from "../sign-in/proof.ts";
import type { Freshness } from "../sign-in/provider/freshness.ts";
import { chooseLanguage, type Language } from "../texts/languages.ts";
import { changeUserRow } from "../users/change/change-user-row.ts";
import { ACCOUNT_APP } from "../web/frame/account-app.ts";
import type { Discovery, Interaction, Interactions } from "../web/sign-in/interactions.ts";
import { requiresTwoFactors, toAcr } from "./acr.ts";
import { type CookieSigner, readSignedCookie } from "./cookies.ts";
import { endSession } from "./end-session.ts";
import { findInteraction } from "./find-interaction.ts";
import { OLD_SIGN_IN, REAUTHENTICATIONS, WEAK_SIGN_IN } from "./prompt-reasons.ts";
import { IDP_HINT_PARAMETER, OPEN_ORG, OPEN_ORG_PARAMETER, ORG_PARAMETER } from "./requested-org.ts";
import type { LoginDetails, SessionDetails } from "./session-details.ts";
import { findUserId } from "./subjects.ts";

type Session = InstanceType<Provider["Session"]>;

interface InteractionsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly signer: CookieSigner;
  readonly currentProvider: () => Promise<Provider>;
}

export function createInteractions({ db, clock, signer, currentProvider }: InteractionsParts): Interactions {
  return {
    async find(id, cookies) {
      const provider = await currentProvider();
      if (readSignedCookie(signer, cookies, provider.cookieName("interaction")) !== id) return undefined;
      const sessionId = readSignedCookie(signer, cookies, provider.cookieName("session"));
      const [pending, session] = await Promise.all([
        findInteraction(db, id, clock()),
        sessionId === undefined ? undefined : provider.Session.find(sessionId),
      ]);
      if (pending === undefined) return undefined;
      const { interaction, app, org, policy, provedUserId } = pending;
      const { params = {}, returnTo = "" } = interaction;
      const subject = expectedSubject(params);
      // What was wrong with a session says nothing of the one that has replaced it in the browser.
      const asked = session?.uid === interaction.session?.uid ? session : undefined;
      const expectedUserId =
        subject === undefined ? reauthenticated(interaction, asked) : await findUserId(db, subject);
      return {
        id,
        app,
        org,
        policy,
        loginHint: toText(params.login_hint),
        idpHint: toText(params[IDP_HINT_PARAMETER]),
        freshness: toFreshness(interaction),
        requiresTwoFactors: requiresTwoFactors(params),
        weakSignIn: asked?.accountId === expectedUserId ? toWeakSignIn(interaction, asked) : undefined,
        language: toLanguage(params.ui_locales),
        expectedUserId,
        provedUserId,
        session: session?.accountId === undefined ? undefined : { id: session.uid, userId: session.accountId },
        returnTo,
        keptPage: toText(interaction.keptPage),
        discovery: toDiscovery(interaction, session, expectedUserId),
      };
    },

    async prove(request, { userId, sequence }) {
      await storeProvedUser(db, { key: hashSecret(request.id), orgId: request.org.id, userId, sequence });
    },

    async keepPage(request, page) {
      await storePayload(db, { key: hashSecret(request.id), payload: JSON.stringify({ keptPage: page }) });
    },

    async chooseOrg(request, choice) {
      const { identifier = null, domain = "" } = choice ?? {};
      // A page that was kept belongs to the previous organization.
      const payload = JSON.stringify({ discovered: identifier, keptPage: null });
      await storeChosenOrg(db, { key: hashSecret(request.id), domain, payload });
    },

    async finish(request, signedIn) {
      const {
        userId,
        sequence,
        passwordHash,
        initialized,
        methods,
        remember,
        idp,
        session: continued,
        origin,
        check,
        notices = [],
      } = signedIn;
      const now = clock();
      const lifetime = signInLifetime(request.policy, methods);
      const details = toLoginDetails(now, { sequence, lifetime, idp, startedTs: continued?.startedTs });
      const login = { accountId: userId, amr: methods, acr: toAcr(methods), remember, ...details };
      const payload = { appId: request.app.id, methods: [...methods], ...(idp && { idpId: idp.id }), ...origin };
      const checked = check === undefined ? [] : [toCheckEvent(check)];
      const event: NewEvent = { type: "user.human.signed.in", payload };
      const values = {
        ownerId: request.org.id,
        aggregateId: userId,
        editorId: userId,
        sequence,
        passwordHash,
        key: hashSecret(request.id),
        result: JSON.stringify({ result: { login, select_account: {} } }),
        now,
        initializes: false,
        notices: JSON.stringify(notices),
        events: eventsToJson([...checked, event]),
        ...(check?.forgiven ?? NO_FAILURES),
      };
      const initializing = { ...values, initializes: true, events: eventsToJson([...checked, INITIALIZED, event]) };
      const [first] = initialized ? [] : await finishInteraction(db, initializing);
      // Without `first`, the user may have completed the initialization in the meantime.
      const [row] = first === undefined ? await finishInteraction(db, values) : [first];
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
      const result = { error: "access_denied", error_description: "the user canceled the sign-in" };
      await storePayload(db, { key: hashSecret(request.id), payload: JSON.stringify({ result }) });
      return request.returnTo;
    },
  };
}

/** Ends the session of a browser in which another user has signed in. */
async function endSessionOf(provider: Provider, { id }: NonNullable<Interaction["session"]>): Promise<void> {
  const session = await provider.Session.findByUid(id);
  if (session !== undefined) await endSession(provider, session);
}

interface Completed {
  /** Of the user when the proof was verified. */
  readonly sequence: bigint;
  /** See `signInLifetime`. */
  readonly lifetime: number | undefined;
  readonly idp: ProvedByIdp | undefined;
  readonly startedTs: number | undefined;
}

function toLoginDetails(now: Date, { sequence: proved, lifetime, idp, ...earlier }: Completed): LoginDetails {
  const ts = Math.floor(now.getTime() / 1_000);
  const { startedTs = ts } = earlier;
  const sequence = String(proved);
  const kept = { startedTs, sequence, ...(lifetime !== undefined && { lifetime }) };
  if (idp === undefined) return { ts, details: kept };
  const { id: idpId, authTime, isAssumed = false, isOfOrg } = idp;
  return {
    // The provider's clock may be ahead.
    ts: authTime === undefined ? null : Math.min(authTime, ts),
    details: { ...kept, idpOwner: isOfOrg ? "org" : "instance", idpId, ...(isAssumed && { isTimeAssumed: true }) },
  };
}

/** A `max_age` of 0 has become `prompt=login`. */
function toFreshness({ params: { client_id, prompt, max_age } = {}, prompt: asked }: AdapterPayload): Freshness {
  const isRequested = (toText(prompt) ?? "").split(" ").includes("login");
  const isOld = asked?.reasons.includes(OLD_SIGN_IN) ?? false;
  return {
    mustAuthenticate: isRequested || isOld,
    maxAge: max_age === undefined ? undefined : Number(max_age),
    guardsCredentials: isOld || client_id === ACCOUNT_APP.id,
  };
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The session's sign-in, if nothing is wrong with it except that it is too weak. */
function toWeakSignIn({ prompt }: AdapterPayload, session: Session | undefined): Proved | undefined {
  const isOnlyWeak = prompt?.reasons.length === 1 && prompt.reasons[0] === WEAK_SIGN_IN;
  if (!isOnlyWeak || session?.accountId === undefined) return undefined;
  const {
    amr = [],
    transient,
    loginTs: authTime,
    startedTs = authTime,
    idpId,
    idpOwner,
    isTimeAssumed: isAssumed,
  } = session as Session & SessionDetails;
  const idp = idpId === undefined ? undefined : { id: idpId, isOfOrg: idpOwner === "org", authTime, isAssumed };
  return {
    methods: amr,
    remember: transient !== true,
    idp: amr.includes("fed") ? idp : undefined,
    session: { id: session.uid, startedTs },
  };
}

/** A user of the session who has to authenticate again stays in the organization. */
function toDiscovery(
  interaction: AdapterPayload,
  session: Session | undefined,
  expectedUserId: string | undefined,
): Discovery | undefined {
  const isOpen = interaction.params?.[OPEN_ORG_PARAMETER] === OPEN_ORG;
  const isKnown = session?.accountId !== undefined && expectedUserId === session.accountId;
  return isOpen && !isKnown ? { identifier: toText(interaction.discovered) } : undefined;
}

/** Anyone can send more, and each takes up to 5 µs at every view of a page. */
const MAX_LOCALES = 10;

/**
 * The first supported language of the first tags in `ui_locales`, which are separated by spaces (OpenID Connect Core 1.0,
 * section 3.1.2.1).
 */
export function toLanguage(uiLocales: unknown): Language | undefined {
  for (const tag of toText(uiLocales)?.split(" ", MAX_LOCALES) ?? []) {
    const language = chooseLanguage(tag);
    if (language !== undefined) return language;
  }
  return undefined;
}

/** A user who signs in has nothing left to initialize: the address is verified, and there is a way to sign in. */
const INITIALIZED: NewEvent = { type: "user.human.initialized", payload: { codeId: null } };

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

const storePayload = prepareStatement<{ key: Buffer; payload: string }, never>((db, param) =>
  db
    .updateTable("oidc_artifacts")
    .set({ payload: sql`payload || ${param("payload", "jsonb")}` })
    .where("kind", "=", "Interaction")
    .where("key", "=", param("key", "bytea"))
    .$castTo<never>(),
);

const storeChosenOrg = prepareStatement<{ key: Buffer; domain: string; payload: string }, never>((db, param) =>
  db
    .updateTable("oidc_artifacts")
    .set({
      user_id: null,
      payload: sql`jsonb_set(payload, ${sql.lit(`{params,${ORG_PARAMETER}}`)}, to_jsonb(coalesce(
        (select org_domains.org_id from org_domains
          where org_domains.name = ${param("domain", "text")} and org_domains.verified_at is not null
            and ${isActiveOrg(sql.ref("org_domains.org_id"))} and ${allowsDiscovery(sql.ref("org_domains.org_id"))}),
        (select instance.default_org_id from instance)))) || ${param("payload", "jsonb")}`,
    })
    .where("kind", "=", "Interaction")
    .where("key", "=", param("key", "bytea"))
    .where(sql<boolean>`payload #>> ${sql.lit(`{params,${OPEN_ORG_PARAMETER}}`)} = ${sql.lit(OPEN_ORG)}`)
    .$castTo<never>(),
);

/**
 * The `sub` that the request names: of its hint, which was verified when it arrived, or in `claims` (OpenID Connect Core 1.0,
 * sections 3.1.2.1 and 5.5.1).
 */
function expectedSubject({ id_token_hint, claims }: NonNullable<AdapterPayload["params"]>): string | undefined {
  if (typeof id_token_hint === "string") return String(decodeJwt(id_token_hint).sub);
  const sub = typeof claims === "string" ? JSON.parse(claims).id_token?.sub?.value : undefined;
  return toText(sub);
}

/** The id of the session's user, if it has to be the one who authenticates again. */
function reauthenticated({ prompt }: AdapterPayload, session: Session | undefined): string | undefined {
  const isRepeated = prompt?.reasons.some((reason) => REAUTHENTICATIONS.has(reason));
  return isRepeated ? session?.accountId : undefined;
}

const NO_FAILURES: FailureValues = { counters: [], ownCounter: "" };

interface FinishValues extends NoticeValues, FailureValues {
  key: Buffer;
  sequence: bigint;
  passwordHash: string | null;
  result: string;
  /** Whether the sign-in completes the initialization of a user who has not completed it. */
  initializes: boolean;
}

/**
 * Stores the result and records the sign-in, together with a correct password that is not recorded yet. Nothing is stored
 * unless the user is active and has the same password, the sessions have not ended since the proof, and the request has
 * not expired.
 *
 * From then on, the interaction belongs to the user and ends with the user's sessions, because the browser may follow
 * the redirect that starts the session much later. The session in which the interaction began is dropped: it may have
 * ended, or belong to another user.
 */
const finishInteraction = prepareStatement<FinishValues, unknown>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param, {
        last_signed_in_at: param("now", "timestamptz"),
        initialized: sql<boolean>`users.initialized or ${param("initializes", "boolean")}`,
      })
        .where("kind", "=", "human")
        .where(isActiveUser("users"))
        .where(sql<boolean>`(not ${param("initializes", "boolean")} or not users.initialized and users.email_verified)`)
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
        )
        .returning("created_at"),
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
    .with("forgiven", () => forgiveFailures(param, sql`exists (select from changed)`))
    .with("notified", () => queueNotices(param, "changed", isNoNewUser(param("now", "timestamptz"))))
    .selectFrom("changed")
    .selectAll(),
);

/** A sign-in soon after the registration is no surprise on any device. */
function isNoNewUser(now: Expression<Date>) {
  return sql<boolean>`changed.created_at < ${now} - interval '1 hour'`;
}
