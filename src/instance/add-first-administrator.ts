import { grantRole } from "../access/grant-role.ts";
import type { Clock } from "../clock.ts";
import { issueInitializationCode } from "../codes/issue-code.ts";
import { VALID_SECONDS } from "../codes/kinds.ts";
import { toLink } from "../codes/link.ts";
import { createId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { NO_PROFILE } from "../database/profile.ts";
import { createRunTogether } from "../database/run-together.ts";
import { userNameKey } from "../fields/user-name.ts";
import { INSERT_HUMAN_USER } from "../users/import/insert-human-users.ts";

const USER_NAME = "administrator";

/**
 * Nobody receives mail at this domain (RFC 2606, section 2), so the user replaces it. It counts as verified, because the
 * link does not prove an address.
 */
const EMAIL = "administrator@signet.invalid";

/**
 * Adds the first person to a new instance: a user of the organization `default` with the role INSTANCE_OWNER, and
 * without a way to sign in. The returned link, which works once and for 72 hours, lets its holder set a password.
 *
 * @throws SignetError for a failure of the database.
 */
export async function addFirstAdministrator(
  parts: { readonly db: Database; readonly clock: Clock },
  publicUrl: string,
): Promise<string> {
  const { db, clock } = parts;
  const { id: instanceId, default_org_id: orgId } = await db
    .selectFrom("instance")
    .select(["id", "default_org_id"])
    .executeTakeFirstOrThrow();
  if (orgId === null) throw new Error("the instance has no default organization");
  const now = clock();
  const { row, event, ...code } = issueInitializationCode(EMAIL);
  const expiresAt = new Date(now.getTime() + VALID_SECONDS.initialization * 1_000);
  const profile = { ...NO_PROFILE, firstName: "First", lastName: "Administrator", displayName: "First Administrator" };
  const human = {
    userName: USER_NAME,
    ...profile,
    nickName: null,
    preferredLanguage: null,
    email: EMAIL,
    phone: null,
    passwordChangeRequired: false,
  };
  const userId = createId();
  await createRunTogether(db)(INSERT_HUMAN_USER, {
    ...human,
    ownerId: orgId,
    instanceId,
    aggregateId: userId,
    editorId: null,
    userNameKey: userNameKey(USER_NAME),
    userNamePhone: null,
    emailVerified: true,
    emailKey: userNameKey(EMAIL),
    needsFreeAddress: false,
    phoneVerified: false,
    passwordHash: null,
    initialized: false,
    otpCode: null,
    otpCodeKey: null,
    subject: null,
    links: [],
    metadata: [],
    recoveryCodes: [],
    passkeys: [],
    codes: [{ ...row, expires_at: expiresAt.toISOString() }],
    messages: [],
    state: "active",
    now,
    events: [
      { type: "user.human.added", payload: { ...human, hasPassword: false } },
      { type: "user.human.email.verified", payload: { email: EMAIL } },
      event,
    ],
  });
  await grantRole(parts, { user: { id: userId, orgId }, role: "INSTANCE_OWNER", scopeId: instanceId });
  return toLink(publicUrl, "initialization", code);
}
