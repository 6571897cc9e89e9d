import type { Provider } from "oidc-provider";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import type { Session, Sessions } from "../web/frame/sessions.ts";
import { accountSignInUrl } from "./account-page.ts";
import { type CookieSigner, readSignedCookie } from "./cookie-signer.ts";
import { endSession } from "./end-session.ts";
import { listSessions } from "./list-sessions.ts";
import type { SessionDetails } from "./session-details.ts";

interface SessionsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly signer: CookieSigner;
  readonly publicUrl: string;
  readonly currentProvider: () => Promise<Provider>;
}

export function createSessions({ db, clock, signer, publicUrl, currentProvider }: SessionsParts): Sessions {
  return {
    async find(cookies) {
      const provider = await currentProvider();
      const id = readSignedCookie(signer, cookies, provider.cookieName("session"));
      const session = id === undefined ? undefined : await provider.Session.find(id);
      return session && toSession(session);
    },
    async list(userId, ownId) {
      if (!isId(userId)) return { sessions: [], total: 0, apps: [] };
      return await listSessions(db, { userId, ownId: ownId ?? null, now: clock() });
    },
    async end(userId, sessionIds) {
      const provider = await currentProvider();
      const sessions = await Promise.all(sessionIds.map((id) => provider.Session.findByUid(id)));
      await Promise.all(
        sessions.map(async (session) => {
          if (session?.accountId === userId) await endSession(provider, session);
        }),
      );
    },
    signInUrl: (options) => accountSignInUrl(publicUrl, options),
  };
}

/** Undefined for a session in which no user has signed in. */
function toSession(session: InstanceType<Provider["Session"]> & SessionDetails): Session | undefined {
  const { uid: id, accountId: userId, loginTs, isTimeAssumed, amr = [], idpOwner, idpId = null } = session;
  if (userId === undefined) return undefined;
  return {
    id,
    userId,
    authenticatedAt: loginTs === undefined || isTimeAssumed ? null : new Date(loginTs * 1_000),
    // As in `isOfOrgIdp`.
    isOfOrgIdp: amr.includes("fed") && idpOwner !== "instance",
    idpId,
  };
}
