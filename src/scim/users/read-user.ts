import { describeStoredLanguageProblem } from "../../fields/language.ts";
import { parsePhone } from "../../fields/phone.ts";
import type { Values } from "../protocol/attributes.ts";
import { isValues } from "../protocol/attributes.ts";
import { invalidValue } from "../protocol/scim-error.ts";
import { pickEmail, pickPhone, toStoredValues } from "./picked-values.ts";
import { ENTERPRISE, METADATA_ATTRIBUTES } from "./user-schemas.ts";

/** What a request says of a user. */
export interface GivenUser {
  readonly userName: string;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly displayName: string;
  readonly nickName: string;
  readonly preferredLanguage: string;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly active: boolean | undefined;
  /** The values of all attributes that are metadata. */
  readonly metadata: ReadonlyMap<string, string>;
  /** All attributes, as they were read. */
  readonly attributes: Values;
}

/** Bytes of UTF-8, as in `SetUserMetadata`. */
const LONGEST_METADATA = 2_000;

/**
 * Reads the attributes of a user, as `readResource` or `applyPatch` returns them.
 *
 * @throws ScimError invalidValue.
 */
export function readUser(attributes: Values): GivenUser {
  const { userName, displayName, nickName, preferredLanguage, active } = attributes;
  if (typeof userName !== "string") throw invalidValue("userName: is required");
  const name = isValues(attributes.name) ? attributes.name : {};
  const emails = (attributes.emails ?? []) as readonly Values[];
  const phones = (attributes.phoneNumbers ?? []) as readonly Values[];
  const email = pickEmail(emails)?.value;
  const phone = toText(pickPhone(phones)?.value);
  // A directory has numbers and languages of any form, which must not keep a user away.
  const isNumber = phone !== undefined && parsePhone(phone).ok;
  const language = toLanguage(toText(preferredLanguage) ?? "");
  const isLanguage = describeStoredLanguageProblem(language) === undefined;
  return {
    userName,
    firstName: toText(name.givenName),
    lastName: toText(name.familyName),
    displayName: toText(displayName) ?? "",
    nickName: toText(nickName) ?? "",
    preferredLanguage: isLanguage ? language : "",
    email: toText(email),
    phone: isNumber ? phone : undefined,
    active: typeof active === "boolean" ? active : undefined,
    metadata: readMetadata(attributes, {
      emails: toStoredValues(emails, { type: "work" }),
      phone_numbers: isNumber ? toStoredValues(phones, { type: "mobile" }) : toJson(phones),
      preferred_language: language === "" || isLanguage ? undefined : language,
    }),
    attributes,
  };
}

function toJson(values: readonly Values[]): string | undefined {
  return values.length === 0 ? undefined : JSON.stringify(values);
}

/** @param lists The values of attributes that are not only metadata, by key. */
function readMetadata(attributes: Values, lists: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const extension = isValues(attributes[ENTERPRISE]) ? attributes[ENTERPRISE] : {};
  const metadata = new Map<string, string>();
  for (const { schema, attribute, key } of METADATA_ATTRIBUTES) {
    const given = (schema.isExtension ? extension : attributes)[attribute.name];
    const value = key in lists ? lists[key] : toText(isValues(given) ? given.value : given);
    if (value === undefined) continue;
    if (Buffer.byteLength(value) > LONGEST_METADATA) {
      throw invalidValue(`${attribute.name}: has more than ${LONGEST_METADATA} bytes`);
    }
    metadata.set(key, value);
  }
  return metadata;
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The first language of a value in the form of the header `accept-language` (RFC 7643, section 4.1.1). */
function toLanguage(value: string): string {
  return value.split(/[,;]/)[0]?.trim() ?? "";
}

/** First and last name. A directory may send neither; users always have both. */
export function toNames({ firstName, lastName, displayName, userName }: GivenUser): [first: string, last: string] {
  if (firstName !== undefined && lastName !== undefined) return [firstName, lastName];
  const whole = displayName || userName.split("@")[0] || userName;
  const at = whole.lastIndexOf(" ");
  const [first, last] = at > 0 ? [whole.slice(0, at), whole.slice(at + 1)] : [whole, whole];
  return [firstName ?? first, lastName ?? last];
}
