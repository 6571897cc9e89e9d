import { otherForms } from "./other-forms.ts";

/** The prefixes of the hashes of each scheme. Only they distinguish schemes. Those in braces are in any case. */
export const PREFIXES = {
  bcrypt: ["$2a$", "$2b$", "$2y$"],
  argon2: ["$argon2id$", "$argon2i$", "$argon2d$"],
  scrypt: ["$scrypt$", "$7$"],
  PBKDF2: [
    ...["$pbkdf2$", "$pbkdf2-sha1$", "$pbkdf2-sha224$", "$pbkdf2-sha256$", "$pbkdf2-sha384$", "$pbkdf2-sha512$"],
    ...["pbkdf2_sha1$", "pbkdf2_sha256$"],
  ],
  "SHA-crypt": ["$5$", "$6$", "$sha256-crypt$", "$sha512-crypt$"],
  "MD5-crypt": ["$1$", "$apr1$", "$md5-crypt$"],
  phpass: ["$P$", "$H$"],
  WordPress: ["$wp$"],
  Drupal: ["$S$"],
  Firebase: ["$firescrypt$", "$fbscrypt$"],
  LDAP: ["{SMD5}", "{SSHA}", "{SSHA256}", "{SSHA384}", "{SSHA512}"],
  "salted digest": ["$md5$", "$sha1$", "$sha256$", "$sha512$"],
  HMAC: ["$hmac-md5$", "$hmac-sha1$", "$hmac-sha224$", "$hmac-sha256$", "$hmac-sha384$", "$hmac-sha512$"],
  FusionAuth: ["$salted-md5$", "$salted-sha256$", "$salted-hmac-sha256$"],
  "Better Auth": ["$better-auth$"],
  "bcrypt-sha256": ["$bcrypt-sha256$", "bcrypt_sha256$"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SchemeName = keyof typeof PREFIXES;

/** What the beginning of a value says about it. It contains no part of a salt or a hash. */
interface Recognized {
  /** The value in a form that begins with one of `PREFIXES`, if it has one. */
  readonly text: string;
  /** That of `text`, or of the value; undefined if there is none. */
  readonly prefix: string | undefined;
  readonly scheme: SchemeName | undefined;
  /** The form of another program that the value begins like, but does not have. */
  readonly incompleteForm?: string;
}

/** Finds the scheme of a hash by its prefix, in whichever of the known forms it is written. */
export function recognizeHash(value: string): Recognized {
  const other = otherForms.find(({ begins }) => begins.test(value));
  const text = other === undefined ? value : other.convert(value);
  if (text === undefined) {
    return { text: value, prefix: prefixOf(value), scheme: undefined, incompleteForm: other?.form ?? "" };
  }
  const prefix = prefixOf(text);
  const wanted = prefix?.startsWith("{") ? prefix.toUpperCase() : prefix;
  const names = Object.keys(PREFIXES) as SchemeName[];
  const scheme = names.find((name) => (PREFIXES[name] as readonly (string | undefined)[]).includes(wanted));
  return { text, prefix, scheme };
}

/** Text before `$` without a `$` before it may be a password, unless it is one of these. */
const PREFIX =
  /^(?:\$[A-Za-z0-9-]{1,20}\$|\{[A-Za-z0-9@._|-]{1,32}\}|(?:pbkdf2_[a-z0-9]{1,10}|bcrypt_sha256|md5|sha1|sha256|sha512|crypt|unsalted_md5|unsalted_sha1)\$)/;

export function prefixOf(value: string): string | undefined {
  return PREFIX.exec(value)?.[0];
}

/** A prefix for a message, with the name that people know it by. */
export function namePrefix(prefix: string): string {
  const name = NAMES.get(prefix.toLowerCase());
  return name === undefined ? prefix : `${name} (${prefix})`;
}

const NAMES = new Map([
  ["$y$", "yescrypt"],
  ["$gy$", "gost-yescrypt"],
  ...["{noop}", "{plain}", "{cleartext}", "{clear}"].map((prefix) => [prefix, "plain text"] as const),
]);
