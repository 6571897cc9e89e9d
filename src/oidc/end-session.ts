import { type RawBuilder, sql } from "kysely";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import type { SealedParts } from "../crypto/sealed-values.ts";
import { hashSecret } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { type Param, prepareStatement } from "../database/prepare.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { ChangeParts } from "../events/change-object.ts";
import { findIdpSignOut } from "../web/sign-in/provider/idp-sign-out.ts";
import { findAccountRow } from "./accounts.ts";
import { notifyApps } from "./back-channel-logout.ts";
import type { SessionDetails } from "./session-details.ts";
import { orUnavailable } from "./unavailable.ts";

type Session = InstanceType<Provider["Session"]>;

export type DestroySession = (this: Session & { destroyed?: boolean }) => Promise<void>;

/** Ends a session in one statement, which also revokes the tokens that end with it, and records the sign-out. */
export function createSessionEnd({ db, clock }: ChangeParts): DestroySession {
  return async function destroy() {
    const grantIds = Object.values(this.authorizations ?? {})
      .filter((authorization) => authorization.persistsLogout !== true)
      .flatMap(({ grantId }) => (grantId === undefined ? [] : [grantId]));
    const values = { sessionUid: this.uid, grantKeys: grantIds.map(hashSecret), now: clock() };
    await orUnavailable(() => deleteSession(db, values));
    this.destroyed = true;
  };
}

/**
 * Ends a session as if its user had signed out: applications are notified (OpenID Connect Back-Channel Logout 1.0).
 *
 * @param requesterId The client id of the application that has requested it, if there is one.
 */
export async function endSession(provider: Provider, session: Session, requesterId?: string): Promise<void> {
  const { accountId, authorizations } = session;
  if (accountId !== undefined && authorizations !== undefined) {
    await notifyApps(provider, { userId: accountId, authorizations }, requesterId);
  }
  await session.destroy();
}

interface DeleteSessionValues {
  sessionUid: string;
  /** The grants whose tokens end with the session. */
  grantKeys: Buffer[];
  now: Date;
}

const deleteSession = prepareStatement<DeleteSessionValues, never>((db, param) =>
  db
    .with("deleted", () => deleteArtifacts(param))
    .with("changed", (query) =>
      query
        .updateTable("users")
        .set({
          sequence: sql`users.sequence + 1`,
          changed_at: sql`greatest(users.changed_at, ${param("now", "timestamptz")})`,
        })
        .where("id", "in", (eb) => eb.selectFrom("deleted").select("user_id").where("kind", "=", "Session"))
        .returning(["org_id", "id", "sequence", "changed_at"]),
    )
    .insertInto("events")
    .columns(["owner_id", "aggregate_id", "sequence", "type", "editor_id", "created_at", "payload"])
    .expression(sql`select org_id, id, sequence, 'user.human.signed.out', id, changed_at, '{}'::jsonb from changed`)
    .$castTo<never>(),
);

/** Deletes the session and its tokens, except interactions, which may continue in the next session. */
function deleteArtifacts(param: Param<DeleteSessionValues>): RawBuilder<{ kind: string; user_id: string | null }> {
  const grantKeys = param("grantKeys", "bytea[]");
  return sql`(
    delete from oidc_artifacts
    where session_uid = ${param("sessionUid", "text")}
        and (kind = 'Session' or payload @> '{"expiresWithSession": true}')
      or grant_key = any(${grantKeys}) and kind <> 'Interaction'
      or kind = 'Grant' and key = any(${grantKeys})
    returning kind, user_id)`;
}

type EndedSession = InstanceType<Provider["Session"]> & SessionDetails & { readonly destroyed?: boolean };

/** After a sign-out, the browser passes the identity provider that has confirmed the user, if its setting says so. */
export function federateLogout(parts: SealedParts & { readonly db: Database; readonly runTogether: RunTogether }) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const { route, session } = ctx.oidc ?? {};
    if (route !== "end_session" && route !== "end_session_confirm") return;
    // There is no session if it could not be looked up.
    const { accountId, idpId, destroyed } = (session ?? {}) as Partial<EndedSession>;
    if (destroyed !== true || accountId === undefined || idpId === undefined) return;
    const account = await findAccountRow(parts.runTogether, accountId);
    const path =
      account && (await findIdpSignOut(parts, { idpId, orgId: account.orgId }, ctx.response.get("location")));
    if (path !== undefined) ctx.redirect(path);
  };
}
