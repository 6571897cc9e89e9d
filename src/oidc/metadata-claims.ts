import { type Expression, type RawBuilder, sql } from "kysely";

/** Metadata of a user for an application. */
export interface StoredMetadata {
  /** The keys that the application has chosen. */
  readonly chosen: readonly string[];
  /** Values in Base64, by key: those that the application has chosen, and those of standard claims. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * The metadata of the user in `users` that an application gets, in a statement; null without an application.
 *
 * @param appId The id of the application.
 */
export function metadataFor(appId: Expression<unknown>): RawBuilder<StoredMetadata | null> {
  return sql<StoredMetadata | null>`(
    select jsonb_build_object('chosen', app.metadata_claims, 'values', coalesce((
      select jsonb_object_agg(stored.key, encode(stored.value, 'base64')) from user_metadata as stored
      where stored.org_id = users.org_id and stored.user_id = users.id
        and stored.key = any (app.metadata_claims || ${sql.lit(`{${STANDARD_KEYS.join(",")}}`)}::text[])), '{}'))
    from apps as app where app.id = ${appId})`;
}

/** The claim `metadata`: texts by key. A value that is not UTF-8 is left out. Undefined if the application gets none. */
export function toMetadataClaim({ chosen, values }: StoredMetadata): Record<string, string> | undefined {
  if (chosen.length === 0) return undefined;
  const texts = chosen.flatMap((key) => {
    const text = readText(values[key]);
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(texts);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @returns Undefined for a value that is missing or not UTF-8. */
export function readText(base64: string | undefined): string | undefined {
  if (base64 === undefined) return undefined;
  try {
    return UTF8.decode(Buffer.from(base64, "base64"));
  } catch {
    return undefined;
  }
}

/** Text of the metadata of a user as a claim; undefined if it is not of the claim's type, and so left out. */
type Read = (text: string) => unknown;

/**
 * The claims of OpenID Connect Core 1.0, section 5.1, that come from the metadata of users, under keys with their names; in
 * the scope `profile`.
 */
const PROFILE: Readonly<Record<string, Read>> = {
  middle_name: (text) => text,
  profile: readUrl,
  picture: readUrl,
  website: readUrl,
  birthdate: (text) => (BIRTHDATE.test(text) ? text : undefined),
  zoneinfo: (text) => (isTimeZone(text) ? text : undefined),
};

/** Those of the scope `address`, section 5.1.1. */
const ADDRESS: Readonly<Record<string, Read>> = { address: readAddress };

const READ = { ...PROFILE, ...ADDRESS };

export const PROFILE_KEYS = Object.keys(PROFILE);
export const ADDRESS_KEYS = Object.keys(ADDRESS);
const STANDARD_KEYS = Object.keys(READ);

/** @param textOf Returns the user's metadata under a key. */
export function toStandardClaims(textOf: (key: string) => string | undefined): Record<string, unknown> {
  const claims = Object.entries(READ).map(([key, read]) => {
    const text = textOf(key);
    return [key, text === undefined ? undefined : read(text)];
  });
  return Object.fromEntries(claims);
}

function readUrl(text: string): string | undefined {
  const protocol = URL.parse(text)?.protocol;
  return protocol === "https:" || protocol === "http:" ? text : undefined;
}

/** `YYYY-MM-DD`, with the year 0000 if it is left out, or `YYYY`. */
const BIRTHDATE = /^\d{4}(-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))?$/;

/** A name of the IANA time zone database, such as `Europe/Zurich`. */
function isTimeZone(text: string): boolean {
  try {
    return /^[A-Z]/i.test(text) && new Intl.DateTimeFormat("en", { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

const ADDRESS_MEMBERS = ["formatted", "street_address", "locality", "region", "postal_code", "country"];

/** A JSON object with members of the claim; other text is the formatted address. */
function readAddress(text: string): Record<string, string> | undefined {
  const parsed = parseObject(text);
  if (parsed === undefined) return { formatted: text };
  const members = Object.entries(parsed).filter(
    ([name, value]) => ADDRESS_MEMBERS.includes(name) && typeof value === "string",
  );
  return members.length === 0 ? undefined : (Object.fromEntries(members) as Record<string, string>);
}

function parseObject(text: string): object | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
