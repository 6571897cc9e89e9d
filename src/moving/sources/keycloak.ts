import { decodeBase64, encodeBase64, encodeBase64Url, encodeText } from "../../fields/bytes.ts";
import { pbkdf2Hash } from "../../passwords/write-hash.ts";
import { encodeBase32 } from "../../sign-in/code/base32.ts";
import type { SourceLink, SourceOptions, SourcePasskey } from "../source.ts";
import { ACTIVITY_FIELDS, isActivityField, isInactive } from "./activity.ts";
import { createSource, skip } from "./create-source.ts";
import { type Fields, readFields } from "./fields.ts";
import { toMetadata } from "./metadata.ts";
import { toOtp } from "./one-time-code.ts";
import { noPassword, notSupported, toPasswordHash } from "./password-hash.ts";
import { toLanguage } from "./profile.ts";

/**
 * `kc.sh export` of Keycloak 26: a realm with its users, a list of several, or the files `<realm>-users-<n>.json` of 50 users each. The
 * records are UserRepresentations. `federatedUsers`, also in files `<realm>-federated-users-<n>.json`, has what Keycloak stores
 * for users whom it does not import from a directory.
 */
export const keycloak = createSource({
  name: "keycloak",
  arrays: [["users"], ["federatedUsers"], ["*", "users"], ["*", "federatedUsers"]],
  orgOf: (record) => readFields(record).object("context")?.text("realm"),
  read(fields, lost, options) {
    const id = fields.text("id");
    if (fields.text("serviceAccountClientId") !== undefined) return skip(id, "service account of a client");
    if (id?.startsWith(FEDERATED))
      return skip(id, "user in a directory that Keycloak only reads: without name and address");
    const directory = fields.text("federationLink");
    if (directory !== undefined) lost.push("password: it is in the directory of a user federation");
    const actions = fields.texts("requiredActions").map((action) => action.toUpperCase());
    lost.push(
      ...actions.filter((action) => !CONVERTED_ACTIONS.includes(action)).map((name) => `required action ${name}`),
    );
    // Every user has the default role of the realm.
    if (fields.texts("realmRoles").some((role) => !role.startsWith("default-roles-"))) lost.push("roles");
    const values = Object.fromEntries(fields.entries());
    for (const [name, what] of LOST_LISTS) if (hasItems(values[name])) lost.push(what);
    return {
      sourceId: id,
      sourceOrg: fields.object("context")?.text("realm"),
      userName: fields.text("username"),
      firstName: fields.text("firstName"),
      lastName: fields.text("lastName"),
      email: fields.text("email"),
      emailVerified: fields.flag("emailVerified") === true && !actions.includes("VERIFY_EMAIL"),
      passwordChangeRequired: actions.includes("UPDATE_PASSWORD"),
      secondFactorRequired: actions.includes("CONFIGURE_TOTP"),
      links: fields.objects("federatedIdentities").flatMap(toLink),
      ...readAttributes(fields.object("attributes"), options, lost),
      ...readCredentials(fields.objects("credentials"), id ?? "", lost),
    };
  },
});

/** Such ids have the id of the user federation, and then that of the user there. */
const FEDERATED = "f:";

/** VERIFY_PROFILE and UPDATE_PROFILE ask for fields that Keycloak requires, not for those of Signet. */
const CONVERTED_ACTIONS = ["UPDATE_PASSWORD", "VERIFY_EMAIL", "CONFIGURE_TOTP", "VERIFY_PROFILE", "UPDATE_PROFILE"];

const LOST_LISTS = [
  ["clientRoles", "roles"],
  ["groups", "groups"],
  ["clientConsents", "consents"],
] as const;

function hasItems(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function toLink(identity: Fields): SourceLink[] {
  const provider = identity.text("identityProvider");
  const externalUserId = identity.text("userId");
  const displayName = identity.text("userName");
  if (provider === undefined || externalUserId === undefined)
    return identity.refuse("identityProvider", "must have a provider and a user id");
  return [{ provider, externalUserId, displayName }];
}

/** What `--map` makes of an attribute, and what attributes of these names usually are. */
const KNOWN_ATTRIBUTES: Readonly<Record<string, string>> = {
  locale: "language",
  phoneNumber: "phone",
  phone_number: "phone",
  phone: "phone",
  mobile: "phone",
  phoneNumberVerified: "phoneVerified",
  nickname: "nickName",
  // Of Active Directory.
  userAccountControl: "accountControl",
};

const MAPPED_FIELDS = ["phone", "phoneVerified", "language", "nickName", "displayName"] as const;

/** Every attribute is a list of texts. The first value of a known one becomes a field, all others metadata. */
function readAttributes(attributes: Fields | undefined, options: SourceOptions, lost: string[]) {
  const fields = new Map<string, string>();
  const metadata: [string, unknown][] = [];
  let inactive = false;
  for (const [name] of attributes?.entries() ?? []) {
    const [first, ...others] = attributes?.texts(name) ?? [];
    const field = [options.map, KNOWN_ATTRIBUTES].find((map) => Object.hasOwn(map, name))?.[name];
    if (first === undefined) continue;
    if (field !== undefined && isActivityField(field)) {
      if (attributes !== undefined && isInactive(attributes.nested(undefined, { [name]: first }), name, field))
        inactive = true;
    } else if (field === undefined || fields.has(field))
      metadata.push([name, others.length === 0 ? first : [first, ...others]]);
    else if (MAPPED_FIELDS.some((mapped) => mapped === field)) {
      fields.set(field, first);
      if (others.length > 0) lost.push(`second ${field}`);
    } else
      attributes?.refuse(
        name,
        `cannot be mapped to ${field}; allowed: ${[...MAPPED_FIELDS, ...ACTIVITY_FIELDS].join(", ")}`,
      );
  }
  return {
    phone: fields.get("phone"),
    phoneVerified: fields.get("phoneVerified")?.toLowerCase() === "true",
    language: toLanguage(fields.get("language"), lost),
    nickName: fields.get("nickName"),
    displayName: fields.get("displayName"),
    inactive,
    metadata: toMetadata(metadata, lost),
  };
}

interface Credentials {
  passwordHash?: string | undefined;
  otp?: string | undefined;
  readonly passkeys: SourcePasskey[];
}

/** Keycloak exports credentials in the order in which it offers them. Signet has one password and one secret. */
function readCredentials(credentials: readonly Fields[], userId: string, lost: string[]): Credentials {
  const found: Credentials = { passkeys: [] };
  for (const credential of credentials) {
    const type = credential.text("type");
    // Both are JSON in text.
    const data = credential.object("credentialData");
    const secret = credential.object("secretData");
    switch (type) {
      case "password":
        if (data && secret) found.passwordHash ??= readPassword(data, secret, lost);
        else if (credential.text("hashedSaltedValue") !== undefined)
          found.passwordHash ??= readPassword(credential, readOlderSecret(credential), lost);
        else if (credential.text("value") !== undefined) lost.push("password: plain text");
        break;
      case "otp":
      case "totp":
      case "hotp":
        if (found.otp !== undefined) lost.push("second authenticator app");
        else if (data && secret) found.otp = readOtp(data, secret, lost);
        else if (type === "hotp") lost.push("one-time codes: by counter");
        else if (credential.text("value") !== undefined) found.otp = readOtp(credential, credential, lost);
        break;
      case "webauthn-passwordless":
        if (data) found.passkeys.push(...readPasskey(data, credential.text("userLabel"), userId));
        break;
      case "webauthn":
        lost.push("security key as second factor");
        break;
      case "recovery-authn-codes":
        lost.push("recovery codes: Keycloak stores hashes of them");
        break;
      default:
        lost.push(`credential ${type ?? "without type"}`);
    }
  }
  return found;
}

/** Exports before Keycloak 8 have the fields of a password beside its type. */
function readOlderSecret(credential: Fields): Fields {
  const [value, salt] = [credential.text("hashedSaltedValue"), credential.text("salt")];
  return credential.nested(undefined, { value, salt });
}

/** Names of hash providers; `pbkdf2` is the oldest one, with SHA-1. */
const PBKDF2_DIGESTS = new Map([
  ["pbkdf2", "sha1"],
  ["pbkdf2-sha256", "sha256"],
  ["pbkdf2-sha512", "sha512"],
]);

function readPassword(data: Fields, secret: Fields, lost: string[]): string | undefined {
  const algorithm = data.text("algorithm") ?? "";
  const value = secret.text("value") ?? "";
  const iterations = data.count("hashIterations") ?? 1;
  const salt = decodeBase64(secret.text("salt") ?? "");
  const hash = decodeBase64(value);
  const digest = PBKDF2_DIGESTS.get(algorithm);
  if (digest !== undefined && salt && hash) return pbkdf2Hash(digest, iterations, salt, hash);
  if (algorithm === "argon2" && salt && hash) {
    const parameter = (name: string) => data.object("additionalParameters")?.texts(name)[0] ?? "";
    const version = ARGON2_VERSIONS.get(parameter("version"));
    const type = parameter("type");
    if (version !== undefined && /^(?:id|i|d)$/.test(type)) {
      const costs = `m=${parameter("memory")},t=${iterations},p=${parameter("parallelism")}`;
      const parts = [salt, hash].map((bytes) => encodeBase64(bytes).replaceAll("=", ""));
      return `$argon2${type}$v=${version}$${costs}$${parts.join("$")}`;
    }
  }
  // Extensions, such as those for bcrypt, store complete hashes.
  if (value.startsWith("$")) return toPasswordHash(value, lost);
  return noPassword(lost, notSupported("algorithm", algorithm));
}

/** Of Argon2, as Keycloak and as the hash's own format write them. */
const ARGON2_VERSIONS = new Map([
  ["1.3", 19],
  ["1.0", 16],
]);

/** Keycloak's secrets are text, whose bytes are the key; newer ones may be base32. */
function readOtp(data: Fields, secret: Fields, lost: string[]): string | undefined {
  const value = secret.text("value") ?? "";
  if (data.text("subType") === "hotp") {
    lost.push("one-time codes: by counter");
    return undefined;
  }
  return toOtp(
    {
      secret: data.text("secretEncoding") === "BASE32" ? value : encodeBase32(encodeText(value)),
      algorithm: data.text("algorithm"),
      digits: data.count("digits"),
      periodSeconds: data.count("period"),
    },
    lost,
  );
}

/**
 * The id is base64, and the key base64url. The user handle is the text of the user's id. The export contains neither the
 * domain nor the backup eligibility.
 */
function readPasskey(data: Fields, name: string | undefined, userId: string): SourcePasskey[] {
  const credentialId = decodeBase64(data.text("credentialId") ?? "");
  const publicKey = decodeBase64(data.text("credentialPublicKey") ?? "");
  if (credentialId === undefined || publicKey === undefined)
    return data.refuse("credentialId", "must have an id and a key in base64");
  return [
    {
      credentialId: encodeBase64Url(credentialId),
      publicKey: encodeBase64Url(publicKey),
      counter: data.count("counter") ?? 0,
      name,
      userHandle: userId === "" ? undefined : encodeBase64Url(encodeText(userId)),
    },
  ];
}
