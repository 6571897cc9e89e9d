import { recognizeHash } from "../../passwords/hash-prefixes.ts";
import { COLUMN_FIELDS, NOT_IMPORTED } from "../columns/column-fields.ts";
import type { Source, SourceLink, SourceOptions } from "../source.ts";
import {
  ACTIVITY_COLUMNS,
  type ActivityField,
  DELETED_COLUMNS,
  isActivityField,
  isInactive,
  toColumnKey,
} from "./activity.ts";
import { skip, toLinks, toUser } from "./create-source.ts";
import { type Fields, readFields } from "./fields.ts";
import { toMetadata } from "./metadata.ts";
import { parseOtp, toRecoveryCodes } from "./one-time-code.ts";
import { toPasswordHash } from "./password-hash.ts";
import { toGender, toLanguage } from "./profile.ts";

/** Where a document has its users. */
const ARRAYS = [
  ...["users", "Users", "data", "items", "records", "results"],
  ...["members", "accounts", "people", "value", "Resources"],
].map((name) => [name]);

/**
 * A CSV with a header, or JSON with flat objects, from a table of one's own. Columns with the names below need no map;
 * case, spaces and underscores do not matter.
 */
export const csv: Source = {
  name: "csv",
  arrays: [[], ...ARRAYS],
  convert(record, options) {
    const fields = readFields(record);
    const lost: string[] = [];
    const { values, links, metadata, inactive } = readColumns(fields, options, lost);
    const text = (name: string) => values.text(name);
    const sourceId = text("id") ?? text("email")?.toLowerCase() ?? text("userName");
    if (values.flag("deleted") === true && values.problems.length === 0) return skip(sourceId, "deleted user");
    const otp = parseOtp(text("otp"), lost);
    const codes =
      text("recoveryCodes")
        ?.split(/[\s,;|]+/)
        .filter(Boolean) ?? [];
    return toUser(
      fields,
      {
        sourceId,
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
        inactive,
      },
      lost,
    );
  },
};

/** The names of columns that become a field without a map. */
const FIELDS: Readonly<Record<(typeof COLUMN_FIELDS)[number], readonly string[]>> = {
  id: ["id", "userid", "uid", "uuid"],
  userName: ["username", "login"],
  firstName: ["firstname", "givenname"],
  lastName: ["lastname", "familyname", "surname"],
  displayName: ["displayname", "name", "fullname"],
  nickName: ["nickname"],
  language: ["language", "locale", "preferredlanguage"],
  gender: ["gender"],
  email: ["email", "emailaddress"],
  emailVerified: [
    ...["emailverified", "isemailverified", "emailverifiedat"],
    ...["emailconfirmed", "isemailconfirmed", "emailconfirmedat", "confirmedat"],
  ],
  phone: ["phone", "phonenumber"],
  phoneVerified: [
    ...["phoneverified", "phonenumberverified", "isphoneverified", "phoneverifiedat", "phonenumberverifiedat"],
    ...["phoneconfirmed", "phonenumberconfirmed", "phoneconfirmedat"],
  ],
  passwordHash: ["passwordhash", "hashedpassword", "passworddigest", "encryptedpassword"],
  passwordChangeRequired: ["passwordchangerequired"],
  secondFactorRequired: ["secondfactorrequired"],
  otp: ["otp", "otpcode", "totpsecret", "otpsecret"],
  recoveryCodes: ["recoverycodes"],
  subject: ["subject", "sub"],
  org: ["org", "organization"],
  ...ACTIVITY_COLUMNS,
  deleted: DELETED_COLUMNS,
};

/** The fields that `--map !column=field` can negate. */
const FLAGS = [
  ...["emailVerified", "phoneVerified", "passwordChangeRequired", "secondFactorRequired", "inactive", "active"],
  "deleted",
];

/** A column of this name may hold hashes, as in Laravel and Django. */
const PASSWORD = /^(?:user)?_?pass(?:word|wd)?$/i;

const USUAL = new Map(Object.entries(FIELDS).flatMap(([field, names]) => names.map((name) => [name, field] as const)));

function readColumns(fields: Fields, { map }: SourceOptions, lost: string[]) {
  const values: Record<string, unknown> = {};
  const links: SourceLink[] = [];
  const metadata: [string, unknown][] = [];
  const mapped = new Set(Object.values(map));
  let inactive = false;
  for (const [column, value] of fields.entries()) {
    const { given, isNegated } = findGiven(column, map);
    const field = findField(column, given, mapped);
    const [kind, key] = splitOnce(field ?? "");
    if (field === NOT_IMPORTED) lost.push(`column ${column}`);
    else if (field === undefined) {
      if (!PASSWORD.test(column)) lost.push(`column ${column}`);
      else if (isHash(value) && !mapped.has("passwordHash")) values.passwordHash ??= value;
      else lost.push("password: plain text");
    } else if (isNegated && !FLAGS.includes(field)) {
      fields.refuse(`!${column}`, `cannot be mapped to ${field}; allowed: ${FLAGS.join(", ")}`);
    } else if (kind === "metadata" && key) metadata.push([key, value]);
    else if (kind === "link" && key) links.push(...toLinks(key, fields.text(column)));
    else if (!Object.hasOwn(FIELDS, field)) {
      const allowed = [...COLUMN_FIELDS, "metadata.<key>", "link.<provider>", NOT_IMPORTED].join(", ");
      fields.refuse(column, `cannot be mapped to ${field}; allowed: ${allowed}`);
    } else if (isActivityField(field)) {
      // Each column that says it counts, so that no disabled user is imported as active.
      if (isInactive(fields, column, isNegated ? (OPPOSITES[field] ?? field) : field)) inactive = true;
    } else if (isNegated) {
      const flag = fields.flag(column);
      values[field] ??= flag === undefined ? undefined : !flag;
    } else values[field] ??= value;
  }
  return { values: fields.nested(undefined, values), links, metadata, inactive: inactive || undefined };
}

/** The field of a column with a value; undefined if it is not imported. */
export function fieldOf(column: string, value: unknown, map: SourceOptions["map"]): string | undefined {
  const mapped = new Set(Object.values(map));
  const isPassword = PASSWORD.test(column) && isHash(value) && !mapped.has("passwordHash");
  return findField(column, findGiven(column, map).given, mapped) ?? (isPassword ? "passwordHash" : undefined);
}

function findGiven(column: string, map: SourceOptions["map"]) {
  const isNegated = !Object.hasOwn(map, column) && Object.hasOwn(map, `!${column}`);
  return { isNegated, given: isNegated ? map[`!${column}`] : Object.hasOwn(map, column) ? map[column] : undefined };
}

/** What `--map` says; otherwise what a column of this name usually is, unless another column was mapped to it. */
function findField(column: string, given: string | undefined, mapped: ReadonlySet<string>): string | undefined {
  if (given !== undefined) return given;
  const usual = USUAL.get(toColumnKey(column));
  return usual !== undefined && mapped.has(usual) ? undefined : usual;
}

const OPPOSITES: Partial<Record<ActivityField, ActivityField>> = { active: "inactive", inactive: "active" };

/** Also one that Signet refuses, whose scheme is then named. */
function isHash(value: unknown): boolean {
  const text = typeof value === "string" ? value.trim() : "";
  const { scheme, prefix, incompleteForm } = recognizeHash(text);
  const isUnsalted = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text);
  const isUnusable = /^![A-Za-z0-9]{40}$/.test(text);
  return scheme !== undefined || prefix !== undefined || incompleteForm !== undefined || isUnsalted || isUnusable;
}

/** `metadata.plan` becomes `metadata` and `plan`. */
function splitOnce(text: string): readonly [string, string | undefined] {
  const at = text.indexOf(".");
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
