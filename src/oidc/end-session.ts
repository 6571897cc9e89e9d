import { type Kysely, sql } from "kysely";
import type { Provider } from "oidc-provider";
import type { Clock } from "../clock.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { notifyApps } from "./back-channel-logout.ts";

type Session = InstanceType<Provider["Session"]>;

/** Ends a session in one statement, which also revokes the tokens that end with it, and records the sign-out. */
export function recordSignOuts(
  provider: Provider,
  { db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock },
): void {
  provider.Session.prototype.destroy = async function destroy(this: Session & { destroyed?: boolean }) {
    const grantIds = Object.values(this.authorizations ?? {})
      .filter((authorization) => authorization.persistsLogout !== true)
      .flatMap(({ grantId }) => (grantId === undefined ? [] : [grantId]));
    await deleteSession(db, { sessionUid: this.uid, grantKeys: grantIds.map(hashSecret), now: clock() });
    this.destroyed = true;
  };
}

/** Ends a session as if its user had signed out: applications are notified (OpenID Connect Back-Channel Logout 1.0). */
export async function endSession(provider: Provider, session: Session): Promise<void> {
  const { accountId, authorizations } = session;
  if (accountId !== undefined && authorizations !== undefined) {
    await notifyApps(provider, { userId: accountId, authorizations });
  }
  await session.destroy();
}

interface DeleteSessionValues {
  sessionUid: string;
  /** The grants whose tokens end with the session. */
  grantKeys: Buffer[];
  now: Date;
}

const deleteSession = prepareStatement<DeleteSessionValues, never>((db, param) => {
  const [sessionUid, grantKeys, now] = [
    param("sessionUid", "text"),
    param("grantKeys", "bytea[]"),
    param("now", "timestamptz"),
  ];
  return db
    .with("deleted", (query) =>
      query
        .deleteFrom("oidc_artifacts")
        .where((eb) =>
          eb.or([
            eb.and([
              eb("session_uid", "=", sessionUid),
              eb.or([eb("kind", "=", "Session"), sql<boolean>`payload @> '{"expiresWithSession": true}'`]),
            ]),
            // An interaction may continue in the next session.
            sql<boolean>`(grant_key = any(${grantKeys}) and kind <> 'Interaction')`,
            eb.and([eb("kind", "=", "Grant"), sql<boolean>`key = any(${grantKeys})`]),
          ]),
        )
        .returning(["kind", "user_id"]),
    )
    .with("changed", (query) =>
      query
        .updateTable("users")
        .set({ sequence: sql`users.sequence + 1`, changed_at: sql`greatest(users.changed_at, ${now})` })
        .where("id", "in", (eb) => eb.selectFrom("deleted").select("user_id").where("kind", "=", "Session"))
        .returning(["org_id", "id", "sequence", "changed_at"]),
    )
    .insertInto("events")
    .columns(["owner_id", "aggregate_id", "sequence", "type", "editor_id", "created_at", "payload"])
    .expression((eb) =>
      eb
        .selectFrom("changed")
        .select([
          "org_id",
          "id",
          "sequence",
          sql<string>`'user.human.signed.out'`.as("type"),
          "id as editor_id",
          "changed_at",
          sql`'{}'::jsonb`.as("payload"),
        ]),
    )
    .$castTo<never>();
});
