import type { Source, SourceLink, SourceOptions } from "../source.ts";
import { toConverted } from "./converted.ts";
import { type Fields, readFields } from "./fields.ts";
import { toMetadata } from "./metadata.ts";
import { parseOtp, toRecoveryCodes } from "./one-time-code.ts";
import { toPasswordHash } from "./password-hash.ts";
import { toGender, toLanguage } from "./profile.ts";

/**
 * A CSV with a header, or NDJSON with flat objects, from a table of one's own. Columns with the names below need no map;
 * case, spaces and underscores do not matter.
 */
export const csv: Source = {
  name: "csv",
  arrays: [[]],
  convert(record, options) {
    const fields = readFields(record);
    const lost: string[] = [];
    const { values, links, metadata } = readColumns(fields, options, lost);
    const text = (name: string) => values.text(name);
    const secret = text("otp");
    const otp = secret === undefined ? undefined : parseOtp(secret, lost);
    const codes =
      text("recoveryCodes")
        ?.split(/[\s,;|]+/)
        .filter(Boolean) ?? [];
    return toConverted(
      fields,
      {
        sourceId: text("id") ?? text("email")?.toLowerCase() ?? text("userName"),
        userName: text("userName"),
        firstName: text("firstName"),
        lastName: text("lastName"),
        displayName: text("displayName"),
        nickName: text("nickName"),
        language: toLanguage(text("language"), lost),
        gender: toGender(text("gender"), lost),
        email: text("email"),
        emailVerified: values.flag("emailVerified"),
        phone: text("phone"),
        phoneVerified: values.flag("phoneVerified"),
        passwordHash: toPasswordHash(text("passwordHash"), lost),
        passwordChangeRequired: values.flag("passwordChangeRequired"),
        secondFactorRequired: values.flag("secondFactorRequired"),
        otp,
        recoveryCodes: toRecoveryCodes(codes, otp, lost),
        subject: text("subject"),
        sourceOrg: text("org"),
        links,
        metadata: toMetadata(metadata, lost),
        inactive: values.flag("inactive"),
      },
      lost,
    );
  },
};

/** The fields that a column may become, and the names of columns that become them without a map. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  id: ["id", "userid", "uid", "uuid"],
  userName: ["username", "login"],
  firstName: ["firstname", "givenname"],
  lastName: ["lastname", "familyname", "surname"],
  displayName: ["displayname", "name", "fullname"],
  nickName: ["nickname"],
  language: ["language", "locale", "preferredlanguage"],
  gender: ["gender"],
  email: ["email", "emailaddress"],
  emailVerified: ["emailverified", "isemailverified"],
  phone: ["phone", "phonenumber"],
  phoneVerified: ["phoneverified", "phonenumberverified", "isphoneverified"],
  passwordHash: ["passwordhash", "hashedpassword", "passworddigest", "encryptedpassword"],
  passwordChangeRequired: ["passwordchangerequired"],
  secondFactorRequired: ["secondfactorrequired"],
  otp: ["otp", "otpcode", "totpsecret", "otpsecret"],
  recoveryCodes: ["recoverycodes"],
  subject: ["subject", "sub"],
  org: ["org", "organization"],
  inactive: ["inactive", "disabled"],
};

const USUAL = new Map(Object.entries(FIELDS).flatMap(([field, names]) => names.map((name) => [name, field] as const)));

function readColumns(fields: Fields, { map }: SourceOptions, lost: string[]) {
  const values: Record<string, unknown> = {};
  const links: SourceLink[] = [];
  const metadata: [string, unknown][] = [];
  const mapped = new Set(Object.values(map));
  for (const [column, value] of fields.entries()) {
    const usual = USUAL.get(column.toLowerCase().replaceAll(/[\s_-]/g, ""));
    const field = Object.hasOwn(map, column)
      ? map[column]
      : usual !== undefined && mapped.has(usual)
        ? undefined
        : usual;
    const [kind, key] = splitOnce(field ?? "");
    if (field === undefined) lost.push(/^pass(?:word|wd)$/i.test(column) ? "password: plain text" : `column ${column}`);
    else if (kind === "metadata" && key) metadata.push([key, value]);
    else if (kind === "link" && key) links.push(...toLink(key, fields.text(column)));
    else if (!Object.hasOwn(FIELDS, field)) {
      const allowed = [...Object.keys(FIELDS), "metadata.<key>", "link.<provider>"].join(", ");
      fields.refuse(column, `cannot be mapped to ${field}; allowed: ${allowed}`);
    } else values[field] ??= value;
  }
  return { values: fields.nested(undefined, values), links, metadata };
}

/** `metadata.plan` becomes `metadata` and `plan`. */
function splitOnce(text: string): readonly [string, string | undefined] {
  const at = text.indexOf(".");
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function toLink(provider: string, externalUserId: string | undefined): SourceLink[] {
  return externalUserId === undefined ? [] : [{ provider, externalUserId }];
}
