import type { Client, Provider } from "oidc-provider";
import { createId } from "../crypto/secrets.ts";
import { createOutboundFetch } from "../outbound/outbound-fetch.ts";
import type { EndedSession } from "../users/end-sessions.ts";
import { orgIdOf } from "./clients.ts";

/** oidc-provider does not declare the method. */
type NotifiedClient = Client & { backchannelLogout(accountId: string, sid: string | undefined): Promise<void> };

/** The time limit for an application's response, in milliseconds. */
const TIMEOUT_MS = 2_500;

const postToPublic = createOutboundFetch({ allowsPrivate: false, timeoutMs: TIMEOUT_MS });
const postAnywhere = createOutboundFetch({ allowsPrivate: true, timeoutMs: TIMEOUT_MS });

/**
 * Replaces oidc-provider's notification of applications at the end of a session (OpenID Connect Back-Channel Logout
 * 1.0), because it uses `fetch`, which can check an address only after connecting to it.
 *
 * Applications at private addresses are not notified, because anybody might have registered one. The exception is the
 * instance's applications, which its operator has registered.
 */
export function sendLogoutTokens(provider: Provider): void {
  const prototype = provider.Client.prototype as NotifiedClient;
  prototype.backchannelLogout = async function notify(this: NotifiedClient, accountId, sid) {
    const token = new provider.IdToken({ sub: accountId }, { client: this });
    // Claims that it may have in addition to the ones set here.
    Object.assign(token, { mask: { sub: null } });
    token.set("events", { "http://schemas.openid.net/event/backchannel-logout": {} });
    token.set("jti", createId());
    if (sid !== undefined) token.set("sid", sid);
    const post = orgIdOf(this) === null ? postAnywhere : postToPublic;
    const { status } = await post(String(this.backchannelLogoutUri), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ logout_token: await token.issue({ use: "logout" }) }),
    });
    if (status !== 200 && status !== 204) throw new Error(`the application answered with status ${status}`);
  };
}

/** Notifies the applications of a session. A failure becomes the event `backchannel.error`. */
export async function notifyApps(provider: Provider, { userId, authorizations }: EndedSession): Promise<void> {
  await Promise.all(
    Object.entries(authorizations).map(async ([clientId, { sid }]) => {
      const client = (await provider.Client.find(clientId)) as NotifiedClient | undefined;
      if (client?.backchannelLogoutUri === undefined) return;
      try {
        await client.backchannelLogout(userId, sid);
      } catch (error) {
        provider.emit("backchannel.error", undefined, error, client, userId);
      }
    }),
  );
}
