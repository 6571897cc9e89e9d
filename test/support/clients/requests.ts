import type { JsonObject } from "@bufbuild/protobuf";

/** A character that takes two UTF-16 units and four bytes. */
export const ASTRAL = "\u{1d538}";
export const EMOJI = "\u{1f600}";
/** A character that occurs only in secrets, so that searching for it finds leaks. */
export const KEY = "\u{1f511}";

export const CLIENT_SECRET = "client-secret-of-the-tests";
export const PASSWORD = "correct horse battery staple";
export const BCRYPT = "$2b$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW";

/** The required fields of an OIDC configuration. */
export const IDP = {
  name: "Example",
  clientId: "signet",
  clientSecret: CLIENT_SECRET,
  issuer: "https://accounts.example.com",
} as const;

/** The required fields of a human user except the user name; no email is sent. */
export const HUMAN = {
  profile: { firstName: "Ada", lastName: "Lovelace" },
  email: { email: "ada@example.com", isEmailVerified: true },
  hashedPassword: { value: BCRYPT },
} as const;

/** A request with changed fields; `undefined` removes one. */
export function withChanges(request: JsonObject, changes: object): JsonObject {
  return JSON.parse(JSON.stringify({ ...request, ...changes }));
}
