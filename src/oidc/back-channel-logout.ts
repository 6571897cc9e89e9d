import type { Client, Provider } from "oidc-provider";
import { createId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { createOutboundFetch } from "../outbound/outbound-fetch.ts";
import type { EndedSession } from "../users/change/end-sessions.ts";
import { isDocumentId } from "./client-documents.ts";
import { orgIdOf } from "./clients.ts";
import { findSubject } from "./subjects.ts";

/** @param subject The claim `sub`; by default, that of the user. */
export type SendLogoutToken = (
  this: Client,
  accountId: string,
  sid: string | undefined,
  subject?: string,
) => Promise<void>;

/** oidc-provider does not declare the method. */
type NotifiedClient = Client & { readonly backchannelLogout: SendLogoutToken };

/** The time limit for an application's response, in milliseconds. */
const TIMEOUT_MS = 2_500;

/**
 * Notifies an application at the end of a session (OpenID Connect Back-Channel Logout 1.0).
 *
 * Applications at private addresses are not notified, because anyone might have registered one. The exceptions are the
 * instance's applications, which its operator has registered, and all applications with `allowsPrivate`.
 */
export function createLogoutSender(
  provider: Provider,
  { db, allowsPrivate }: { readonly db: Database; readonly allowsPrivate: boolean },
): SendLogoutToken {
  const postOfInstance = createOutboundFetch({ allowsPrivate: true, timeoutMs: TIMEOUT_MS });
  const postOfOrg = createOutboundFetch({ allowsPrivate, timeoutMs: TIMEOUT_MS });
  return async function notify(accountId, sid, subject) {
    const sub = subject ?? (await findSubject(db, accountId));
    const token = new provider.IdToken({ sub }, { client: this });
    // Claims that it may have in addition to the ones set here.
    Object.assign(token, { mask: { sub: null } });
    token.set("events", { "http://schemas.openid.net/event/backchannel-logout": {} });
    token.set("jti", createId());
    if (sid !== undefined) token.set("sid", sid);
    const post = orgIdOf(this) === null ? postOfInstance : postOfOrg;
    const { status } = await post(String(this.backchannelLogoutUri), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ logout_token: await token.issue({ use: "logout" }) }),
    });
    if (status !== 200 && status !== 204) throw new Error(`the application responded with status ${status}`);
  };
}

/**
 * How long an application that has requested a sign-out has to complete its own before it is notified too, in
 * milliseconds. If Keycloak (as of 26.7) is notified before the browser returns to it, it no longer finds the session, and
 * shows an error page. The conformance suite of the OpenID Foundation also notifies after the browser has returned.
 */
const COMPLETION_MS = 5_000;

/**
 * Notifies the applications of a session. The outcome becomes the event `backchannel.success` or `backchannel.error`.
 *
 * @param requesterId The client id of the application that has requested the sign-out. It is notified last, if the
 *   process still runs then, and is not waited for.
 */
export async function notifyApps(
  provider: Provider,
  { userId, subject, authorizations }: EndedSession,
  requesterId?: string,
): Promise<void> {
  await Promise.all(
    Object.entries(authorizations).map(async ([clientId, { sid }]) => {
      if (isDocumentId(clientId)) return;
      const client = (await provider.Client.find(clientId)) as NotifiedClient | undefined;
      if (client?.backchannelLogoutUri === undefined) return;
      const notify = () => notifyApp(provider, client, { userId, subject, sid });
      if (clientId === requesterId) setTimeout(notify, COMPLETION_MS).unref();
      else await notify();
    }),
  );
}

async function notifyApp(
  provider: Provider,
  client: NotifiedClient,
  { userId, subject, sid }: Pick<EndedSession, "userId" | "subject"> & { readonly sid: string | undefined },
): Promise<void> {
  try {
    await client.backchannelLogout(userId, sid, subject);
    provider.emit("backchannel.success", undefined, client, userId);
  } catch (error) {
    provider.emit("backchannel.error", undefined, error, client, userId);
  }
}

/** How many of the sessions that one change has ended are notified at the same time. */
export const SESSIONS_AT_ONCE = 16;

/**
 * Notifies the applications of sessions that one change has ended, a limited number at the same time. A user can have
 * thousands of sessions, and each notification takes a lookup, a signature and a connection, which the application can keep
 * open until the time limit: all at once, they would leave no connections for others, and exceed the database's queue.
 *
 * @param notify Must not reject.
 */
export async function notifyInTurn(
  sessions: readonly EndedSession[],
  notify: (session: EndedSession) => Promise<void>,
): Promise<void> {
  const rest = sessions.values();
  const notifyRest = async () => {
    for (const session of rest) await notify(session);
  };
  await Promise.all(Array.from({ length: SESSIONS_AT_ONCE }, notifyRest));
}
