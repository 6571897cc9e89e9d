import { createSource } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { readOktaHash } from "./okta-hash.ts";
import { toLanguage } from "./profile.ts";

/**
 * Pages of Okta's `GET /api/v1/users`, which have no hashes, and users in the form in which Okta takes hashes: the body of
 * `POST /api/v1/users`, with `credentials.password.hash`.
 */
export const okta = createSource({
  name: "okta",
  arrays: [[], ["users"]],
  read(fields, lost) {
    const profile = fields.object("profile");
    const credentials = fields.object("credentials");
    const email = profile?.text("email");
    if (profile?.text("secondEmail") !== undefined) lost.push("second email address");
    if (credentials?.object("recovery_question")?.text("question") !== undefined) lost.push("security question");
    return {
      sourceId: fields.text("id") ?? profile?.text("login"),
      userName: profile?.text("login"),
      firstName: profile?.text("firstName"),
      lastName: profile?.text("lastName"),
      displayName: profile?.text("displayName"),
      nickName: profile?.text("nickName"),
      language: toLanguage(profile?.text("preferredLanguage", "locale"), lost),
      email,
      emailVerified: isVerified(credentials, email),
      phone: profile?.text("mobilePhone"),
      passwordHash: readPassword(credentials, lost),
      metadata: toMetadata(prefixed("profile.", profile, PROFILE_KEYS), lost),
    };
  },
});

const PROFILE_KEYS = [
  ...["login", "firstName", "lastName", "displayName", "nickName", "preferredLanguage", "locale", "email"],
  ...["secondEmail", "mobilePhone"],
];

/** Okta lists the addresses with their status in the credentials. */
function isVerified(credentials: Fields | undefined, email: string | undefined): boolean {
  const emails = credentials?.objects("emails") ?? [];
  return emails.some((each) => each.text("value") === email && each.text("status") === "VERIFIED");
}

/** Directories and other providers verify the passwords of their users themselves. */
const PROVIDERS = new Map([
  ["OKTA", "Okta gives no hashes"],
  ["IMPORT", "Okta gives no hashes"],
  ["ACTIVE_DIRECTORY", "Active Directory verifies it"],
  ["LDAP", "an LDAP directory verifies it"],
]);

function readPassword(credentials: Fields | undefined, lost: string[]): string | undefined {
  const hash = credentials?.object("password")?.object("hash");
  if (hash !== undefined) return readOktaHash(hash, lost);
  const reason = PROVIDERS.get(credentials?.object("provider")?.text("type") ?? "OKTA");
  if (reason !== undefined) lost.push(`password: ${reason}`);
  return undefined;
}
