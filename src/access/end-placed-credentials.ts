import { sql } from "kysely";
import { deactivateApp } from "../apps/change-app.ts";
import type { Call } from "../call.ts";
import type { Database } from "../database/database.ts";
import type { Param } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import { removeIdpLink } from "../users/change/change-idp-links.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../users/change/change-user.ts";
import { prepareUserChange } from "../users/change/prepare-user-change.ts";
import { removePasskey } from "../users/credentials/change-passkeys.ts";
import { listPlacedCredentials, type PlacedCredential, type UserKey } from "./placed-credentials.ts";
import { removePersonalAccessToken } from "./remove-personal-access-token.ts";

export interface EndPlacedParts extends ChangeUserParts {
  readonly db: Database;
}

/**
 * Ends the credentials of a user that others have placed, and if there are any, the sessions of a human. Each one is a change
 * of the user or application with its own events.
 *
 * @returns The credentials that it has ended.
 * @throws SignetError PERMISSION_DENIED for a user with a role that the caller may not change, ABORTED, or for a failure
 *   of the database.
 */
export async function endPlacedCredentials(
  parts: EndPlacedParts,
  user: UserKey,
  given: Call,
): Promise<PlacedCredential[]> {
  // A key belongs to the response of the whole call.
  const call = { ...given, orgId: user.orgId, idempotency: undefined };
  const placed = await listPlacedCredentials(parts, user, call);
  for (const credential of placed) await endOne(parts, credential, user.id, call).catch(ignoreMissing);
  const linkIds = placed.filter(({ kind }) => kind === "link").map(({ id }) => id);
  const passwordAt = placed.find(({ kind }) => kind === "password")?.placedAt ?? null;
  if (linkIds.length > 0 || passwordAt !== null) {
    const plans = [toPlan([{ type: "user.human.credentials.ended", payload: {} }])];
    await changeUser(parts, END_SECRETS, { userId: user.id, passwordAt, linkIds, plans }, call);
  }
  return placed;
}

/** Ends a credential that has an operation of its own. */
async function endOne(
  parts: EndPlacedParts,
  { kind, id, name }: PlacedCredential,
  userId: string,
  call: Call,
): Promise<unknown> {
  switch (kind) {
    case "token":
      return await removePersonalAccessToken(parts, { userId, tokenId: id }, call);
    case "passkey":
      return await removePasskey(parts, { userId, tokenId: id }, call);
    case "idp_link":
      return await removeIdpLink(parts, { userId, idpId: id, linkedUserId: name }, call);
    case "app":
      return await deactivateApp(parts, { appId: id }, call);
    case "password":
    case "link":
      return undefined;
    default:
      return kind satisfies never;
  }
}

/** Somebody else may have ended one meanwhile. */
function ignoreMissing(error: unknown): void {
  const gone = ["TOKEN_NOT_FOUND", "PASSKEY_NOT_FOUND", "IDP_LINK_NOT_FOUND", "APP_NOT_FOUND", "APP_STATE"];
  if (!(error instanceof SignetError && gone.includes(error.reason))) throw error;
}

interface Secrets {
  /** When the password was placed; null to keep it. */
  passwordAt: Date | null;
  linkIds: readonly string[];
}

/** A password that the user has set since is kept. */
function endsPassword(given: Param<Secrets>) {
  const placedAt = given("passwordAt", "timestamptz");
  return sql<boolean>`coalesce(users.password_changed_at <= ${placedAt}, ${placedAt} is not null)`;
}

/** Ends the password and some links. */
const END_SECRETS = prepareUserChange<Secrets>({
  name: "end_placed_secrets",
  kind: "human",
  columns: { passwordAt: "timestamptz", linkIds: "jsonb" },
  writes: (planned) => sql`(
    update codes set expires_at = ${planned("now", "timestamptz")} from planned
    where codes.org_id = ${planned("ownerId", "uuid")} and codes.user_id = ${planned("aggregateId", "uuid")}
      and codes.id::text in (select jsonb_array_elements_text(${planned("linkIds", "jsonb")})))`,
  endsSessions: true,
  set: (given) => ({
    password_hash: sql`case when ${endsPassword(given)} then null else users.password_hash end`,
    password_changed_at: sql`case when ${endsPassword(given)} then null else users.password_changed_at end`,
  }),
});
