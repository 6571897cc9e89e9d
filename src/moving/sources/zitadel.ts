import { decodeBase64, decodeText } from "../../fields/bytes.ts";
import type { SourceLink } from "../source.ts";
import { isMarkedInactive } from "./activity.ts";
import { createSource, skip } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { toMetadata } from "./metadata.ts";
import { parseOtp } from "./one-time-code.ts";
import { toPasswordHash } from "./password-hash.ts";
import { toLanguage } from "./profile.ts";

/**
 * The export of ZITADEL (`ExportData`), and the files that its `ImportData` reads: organizations with their users, and
 * beside the users their metadata and links. Programs write the names of fields as in its JSON (`dataOrgs`,
 * `humanUsers`) or as in its protos (`data_orgs`, `human_users`).
 */
export const zitadel = createSource({
  name: "zitadel",
  arrays: listArrays(),
  secondFile(fields, record) {
    const key = fields.text("key");
    const link = fields.text("providedUserId", "provided_user_id");
    if (key !== undefined) return belongsTo(fields.text("id"), `${METADATA}${key}`, record);
    if (link === undefined) return undefined;
    return belongsTo(fields.text("userId", "user_id"), `${LINK}${fields.text("idpId", "idp_id")}|${link}`, record);
  },
  read(fields, lost) {
    const id = fields.text("userId", "user_id");
    const user = fields.object("user");
    const profile = user?.object("profile");
    if (user === undefined) fields.refuse("user", "must be an object");
    else if (profile === undefined && user.text("name") !== undefined) return skip(id, "machine user");
    const context = fields.object("context");
    const email = user?.object("email");
    const phone = user?.object("phone");
    if (user?.text("password") !== undefined) lost.push("password: plain text");
    return {
      sourceId: id,
      sourceOrg: context?.object("org")?.text("name") ?? context?.text("orgId", "org_id"),
      userName: user?.text("userName", "user_name"),
      firstName: profile?.text("firstName", "first_name"),
      lastName: profile?.text("lastName", "last_name"),
      nickName: profile?.text("nickName", "nick_name"),
      displayName: profile?.text("displayName", "display_name"),
      language: toLanguage(withoutUndetermined(profile?.text("preferredLanguage", "preferred_language")), lost),
      gender: readGender(profile?.text("gender")),
      email: email?.text("email"),
      emailVerified: email?.flag("isEmailVerified", "is_email_verified"),
      phone: phone?.text("phone"),
      phoneVerified: phone?.flag("isPhoneVerified", "is_phone_verified"),
      passwordHash: toPasswordHash(user?.object("hashedPassword", "hashed_password")?.text("value"), lost),
      passwordChangeRequired: user?.flag("passwordChangeRequired", "password_change_required"),
      inactive: isInactiveState(user) || undefined,
      otp: parseOtp(user?.text("otpCode", "otp_code"), lost),
      links: [...fields.merged(LINK), ...(user?.objects("idps") ?? [])].flatMap(toLink),
      metadata: toMetadata(fields.merged(METADATA).flatMap(readMetadata), lost),
    };
  },
});

function isInactiveState(user: Fields | undefined): boolean {
  return user !== undefined && (isMarkedInactive(user) || INACTIVE_STATES.includes(user.text("state") ?? ""));
}

/** Numbers of the enum: inactive, deleted and locked. */
const INACTIVE_STATES = ["2", "3", "4"];

/** The lists of each organization that are read. */
function listArrays(): readonly (readonly string[])[] {
  const roots = [[], ["dataOrgs"], ["data_orgs"], ["dataOrgsv1"], ["data_orgsv1"]];
  const lists = ["humanUsers", "machineUsers", "userMetadata", "userLinks"].flatMap((name) => [
    name,
    name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`),
  ]);
  return roots.flatMap((root) => lists.map((list) => [...root, "orgs", "*", list]));
}

const METADATA = "metadata:";
const LINK = "link:";

/** The organization is not repeated with each of a user's values. */
function belongsTo(id: string | undefined, name: string, record: Readonly<Record<string, unknown>>) {
  const { context: _, ...values } = record;
  return id === undefined ? undefined : { id, values: { [name]: values } };
}

/** ZITADEL writes `und` for users without a language. */
function withoutUndetermined(language: string | undefined): string | undefined {
  return language === "und" ? undefined : language;
}

/** Names or numbers of the enum. */
function readGender(gender: string | undefined): "female" | "male" | "diverse" | undefined {
  switch (gender) {
    case "GENDER_FEMALE":
    case "1":
      return "female";
    case "GENDER_MALE":
    case "2":
      return "male";
    case "GENDER_DIVERSE":
    case "3":
      return "diverse";
    default:
      return undefined;
  }
}

/** Names of providers are not unique in ZITADEL, so a provider is its id. */
function toLink(link: Fields): SourceLink[] {
  const provider = link.text("idpId", "idp_id", "configId", "config_id");
  const externalUserId = link.text("providedUserId", "provided_user_id", "externalUserId", "external_user_id");
  const displayName = link.text("providedUserName", "provided_user_name", "displayName", "display_name");
  if (provider === undefined || externalUserId === undefined)
    return link.refuse("idpId", "must have a provider and a user id");
  return [{ provider, externalUserId, displayName }];
}

/** Values are bytes, in base64. Those that are no text stay base64. */
function readMetadata(item: Fields): [string, string][] {
  const key = item.text("key");
  const value = item.text("value");
  if (key === undefined || value === undefined) return [];
  const bytes = decodeBase64(value);
  if (bytes === undefined) return item.refuse("value", "must be base64");
  return [[key, decodeText(bytes) ?? value]];
}
