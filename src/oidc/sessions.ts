import { type Kysely, sql } from "kysely";
import type { Provider } from "oidc-provider";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import type { Session, Sessions } from "../web/account/sessions.ts";
import { accountSignInUrl } from "./account-page.ts";
import { findAccountRow } from "./accounts.ts";
import { type CookieSigner, readSignedCookie } from "./cookie-signer.ts";
import { endSession } from "./end-session.ts";

interface SessionsParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly signer: CookieSigner;
  readonly publicUrl: string;
  readonly currentProvider: () => Promise<Provider>;
}

export function createSessions({ db, clock, signer, publicUrl, currentProvider }: SessionsParts): Sessions {
  async function list(userId: string): Promise<readonly Session[]> {
    if (!isId(userId)) return [];
    return selectSessions(db, { userId, now: clock() });
  }

  async function end(userId: string, sessionIds: readonly string[]): Promise<void> {
    const provider = await currentProvider();
    const sessions = await Promise.all(sessionIds.map((id) => provider.Session.findByUid(id)));
    await Promise.all(
      sessions.map(async (session) => {
        if (session?.accountId === userId) await endSession(provider, session);
      }),
    );
  }

  return {
    async find(cookies) {
      const provider = await currentProvider();
      const id = readSignedCookie(signer, cookies, provider.cookieName("session"));
      const session = id === undefined ? undefined : await provider.Session.find(id);
      if (session?.accountId === undefined) return undefined;
      const [account, sessions] = await Promise.all([findAccountRow(db, session.accountId), list(session.accountId)]);
      return account && sessions.find((listed) => listed.id === session.uid);
    },
    list,
    end,
    async endAll(userId) {
      // Deleted first, because a sign-in that is completed concurrently becomes a session.
      await deleteSignIns(db, { userId });
      const sessions = await list(userId);
      await end(
        userId,
        sessions.map(({ id }) => id),
      );
    },
    signInUrl: (options) => accountSignInUrl(publicUrl, options),
  };
}

const deleteSignIns = prepareStatement<{ userId: string }, never>((db, param) =>
  db
    .deleteFrom("oidc_artifacts")
    .where("user_id", "=", param("userId", "uuid"))
    .where("kind", "=", "Interaction")
    .$castTo<never>(),
);

/** A session may have several rows; see `withAllAuthorizations`. */
const selectSessions = prepareStatement<{ userId: string; now: Date }, Session>((db, param) =>
  db
    .selectFrom("oidc_artifacts as session")
    .select([
      "session_uid as id",
      "user_id as userId",
      sql<Date>`to_timestamp(max((session.payload ->> 'loginTs')::bigint))`.as("signedInAt"),
      sql<string[]>`array(
        select apps.name from apps where apps.id::text in (
          select jsonb_object_keys(other.payload -> 'authorizations') from oidc_artifacts as other
          where other.kind = 'Session' and other.session_uid = session.session_uid
        ) order by apps.name)`.as("appNames"),
    ])
    .where("kind", "=", "Session")
    .where("user_id", "=", param("userId", "uuid"))
    .where("expires_at", ">", param("now", "timestamptz"))
    .groupBy(["session_uid", "user_id"])
    .orderBy("signedInAt", "desc")
    .$castTo<Session>(),
);
