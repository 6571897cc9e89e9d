import { decodeBase64 } from "../../fields/bytes.ts";
import { firebaseHash } from "../../passwords/write-hash.ts";
import type { SourceLink, SourceOptions } from "../source.ts";
import { createSource, skip, toLinks } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { noPassword } from "./password-hash.ts";

/** The providers with columns of their own, in the order of the CSV. */
const CSV_PROVIDERS = [
  ...["google.com", "facebook.com", "twitter.com", "github.com", "apple.com", "microsoft.com"],
  ...["gc.apple.com", "playgames.google.com", "linkedin.com", "yahoo.com"],
];

const PROVIDER_COLUMNS = CSV_PROVIDERS.map((provider) =>
  ["rawId", "email", "displayName", "photoUrl"].map((name) => `${provider} ${name}`),
);

/** `firebase auth:export` of Firebase CLI 14 and later, as JSON or CSV. */
export const firebase = createSource({
  name: "firebase",
  arrays: [["users"]],
  csvColumns: [
    ...["localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl"],
    ...PROVIDER_COLUMNS.slice(0, 4).flat(),
    ...["createdAt", "lastSignedInAt", "phoneNumber", "disabled", "customAttributes"],
    ...PROVIDER_COLUMNS.slice(4).flat(),
    // Each row ends with a comma.
    "",
  ],
  read(fields, lost, options) {
    const id = fields.text("localId");
    const email = fields.text("email");
    const phone = fields.text("phoneNumber");
    const links = [...fields.objects("providerUserInfo").flatMap(toLink), ...readColumns(fields)];
    const hash = fields.text("passwordHash");
    if (email === undefined && phone === undefined && links.length === 0) return skip(id, "anonymous user");
    if (fields.text("photoUrl") !== undefined) lost.push("picture");
    for (const factor of fields.objects("mfaInfo")) {
      lost.push(factor.text("phoneInfo") === undefined ? "one-time codes: not in the export" : "second factor by SMS");
    }
    if (hash === undefined && email !== undefined && links.length === 0) {
      // Firebase leaves out hashes of other algorithms, which it keeps from imports until the next sign-in.
      lost.push("password: not in the export");
    }
    return {
      sourceId: id,
      displayName: fields.text("displayName"),
      email,
      emailVerified: fields.flag("emailVerified"),
      phone,
      // Users of Firebase prove a number before it is stored.
      phoneVerified: phone !== undefined,
      passwordHash: hash === undefined ? undefined : readHash(hash, fields.text("salt"), options, lost),
      links,
      metadata: toMetadata(prefixed("claims.", fields.object("customAttributes")), lost),
      inactive: fields.flag("disabled"),
    };
  },
});

function toLink(info: Fields): SourceLink[] {
  const provider = info.text("providerId");
  if (provider === "password" || provider === "phone") return [];
  return toLinks(provider, info.text("rawId"), info.text("email", "displayName"));
}

function readColumns(fields: Fields): SourceLink[] {
  return CSV_PROVIDERS.flatMap((provider) => {
    const displayName = fields.text(`${provider} email`, `${provider} displayName`);
    return toLinks(provider, fields.text(`${provider} rawId`), displayName);
  });
}

function readHash(
  value: string,
  saltText: string | undefined,
  { firebase: project }: SourceOptions,
  lost: string[],
): string | undefined {
  if (project === undefined) {
    return noPassword(lost, "requires the hash parameters of the project (--signer-key and others)");
  }
  const { memCost, rounds } = project;
  const parts = [value, saltText, project.saltSeparator, project.signerKey].map((part) => decodeBase64(part ?? ""));
  const [hash, salt, saltSeparator, signerKey] = parts;
  // The emulator writes `fakeHash:…`.
  if (!hash?.length || !salt?.length || !saltSeparator || !signerKey) {
    return noPassword(lost, "not a hash of Firebase's scrypt");
  }
  return firebaseHash({ memCost, rounds, salt, hash, saltSeparator, signerKey });
}
