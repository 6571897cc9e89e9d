import type { SourceLink } from "../source.ts";
import { readClerkHash } from "./clerk-hash.ts";
import { createSource, toLinks } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { toOtp } from "./one-time-code.ts";
import { toLanguage } from "./profile.ts";

/**
 * The CSV that Clerk's dashboard exports, which has hashes and no metadata, and users of its API in JSON, which are the
 * other way round.
 */
export const clerk = createSource({
  name: "clerk",
  arrays: [[], ["data"], ["users"]],
  read(fields, lost) {
    const emails = readContacts(fields, EMAIL, lost);
    const phones = readContacts(fields, PHONE, lost);
    const secret = fields.text("totp_secret");
    if (fields.flag("password_enabled") === true && fields.text("password_digest") === undefined) {
      lost.push("password: not in the export");
    }
    if (fields.flag("totp_enabled") === true && secret === undefined) lost.push("one-time codes: not in the export");
    if (fields.flag("backup_code_enabled", "backup_codes_enabled") === true)
      lost.push("recovery codes: not in the export");
    if (fields.flag("has_image") === true) lost.push("picture");
    if (fields.objects("passkeys").length > 0) lost.push("passkeys: not in the export");
    if (fields.objects("web3_wallets").length > 0) lost.push("web3 wallets");
    return {
      sourceId: fields.text("id"),
      userName: fields.text("username"),
      firstName: fields.text("first_name"),
      lastName: fields.text("last_name"),
      language: toLanguage(fields.text("locale"), lost),
      email: emails.value,
      emailVerified: emails.isVerified,
      phone: phones.value,
      phoneVerified: phones.isVerified,
      passwordHash: readClerkHash(fields.text("password_hasher"), fields.text("password_digest"), lost),
      otp: secret === undefined ? undefined : toOtp({ secret }, lost),
      links: [...fields.objects("external_accounts"), ...fields.objects("saml_accounts")].flatMap(toLink),
      metadata: toMetadata(
        [
          ["clerk_external_id", fields.text("external_id")],
          ...METADATA.flatMap((name) => prefixed(`${name}.`, fields.object(name))),
        ],
        lost,
      ),
      inactive: fields.flag("banned") === true || fields.flag("locked") === true,
    };
  },
});

const METADATA = ["public_metadata", "private_metadata", "unsafe_metadata"];

const EMAIL = { name: "email_address", list: "email_addresses", lost: "second email address" };
const PHONE = { name: "phone_number", list: "phone_numbers", lost: "second phone number" };

interface Contact {
  readonly value?: string | undefined;
  readonly isVerified: boolean;
}

/** The primary address or number, otherwise the first verified one, otherwise the first. */
function readContacts(fields: Fields, kind: typeof EMAIL, lost: string[]): Contact {
  const contacts = [...readColumns(fields, kind), ...readObjects(fields, kind)];
  const values = new Set(contacts.map(({ value }) => value?.toLowerCase()));
  if (values.size > 1) lost.push(kind.lost);
  const first = contacts[0];
  return {
    value: first?.value,
    isVerified: contacts.some(
      ({ value, isVerified }) => isVerified && value?.toLowerCase() === first?.value?.toLowerCase(),
    ),
  };
}

/** Lists of the CSV have `|` between their values. */
function readColumns(fields: Fields, { name, list }: typeof EMAIL): Contact[] {
  const split = (column: string) =>
    (fields.text(column)?.split("|") ?? []).map((value) => value.trim()).filter(Boolean);
  const primary = split(`primary_${name}`).map((value) => ({ value, isVerified: false }));
  const verified = split(`verified_${list}`).map((value) => ({ value, isVerified: true }));
  return [...primary, ...verified, ...split(`unverified_${list}`).map((value) => ({ value, isVerified: false }))];
}

function readObjects(fields: Fields, { name, list }: typeof EMAIL): Contact[] {
  const primary = fields.text(`primary_${name}_id`);
  const contacts = fields.objects(list).map((object) => ({
    id: object.text("id"),
    value: object.text(name),
    isVerified: object.object("verification")?.text("status") === "verified",
  }));
  const rank = ({ id, isVerified }: (typeof contacts)[number]) =>
    id !== undefined && id === primary ? 0 : isVerified ? 1 : 2;
  return contacts.toSorted((left, right) => rank(left) - rank(right));
}

/** `oauth_google` is `google` for its owner. */
function toLink(account: Fields): SourceLink[] {
  const provider = account.text("provider")?.replace(/^oauth_/, "");
  return toLinks(provider, account.text("provider_user_id"), account.text("email_address"));
}
