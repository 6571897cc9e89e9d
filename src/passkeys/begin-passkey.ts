import { randomBytes } from "node:crypto";
import type { AuthenticatorTransport, PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { FindCodeParts } from "../codes/find-code.ts";
import { prepareStatement } from "../database/prepare.ts";
import { createPasskeyOptions, type PasskeySite } from "./ceremony.ts";
import { isUsablePasskeyCode, type PasskeyCode, type PasskeyCodeValues, passkeyCodeToValues } from "./passkey-code.ts";

/**
 * Starts the registration of a passkey: binds a new challenge to the code. Replaces an earlier challenge of the code.
 *
 * @returns The argument of `navigator.credentials.create` in JSON (WebAuthn, `parseCreationOptionsFromJSON`); undefined
 *   if the code is used, expired or replaced.
 * @throws SignetError for a failure of the database.
 */
export async function beginPasskey(
  { db, clock, ...site }: FindCodeParts & PasskeySite,
  code: PasskeyCode,
  caller?: QueryCaller,
): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
  const challenge = randomBytes(32);
  const values = { ...passkeyCodeToValues(code, clock()), challenge: challenge.toString("base64url") };
  const [row] = await bindChallenge(db, values, caller);
  if (row === undefined) return undefined;
  const { user_name: userName, display_name: displayName, passkeys } = row;
  return await createPasskeyOptions(site, {
    challenge,
    userId: code.userId,
    userName,
    displayName: displayName ?? userName,
    passkeys,
  });
}

interface BegunRow {
  user_name: string;
  display_name: string | null;
  passkeys: { id: string; transports: AuthenticatorTransport[] }[];
}

/** Writes the challenge if the code is valid. Returns the code's user with their passkeys. */
const bindChallenge = prepareStatement<PasskeyCodeValues & { challenge: string }, BegunRow>((db, param) =>
  db
    .with("begun", (query) =>
      query
        .updateTable("codes")
        .set({ challenge: param("challenge", "text") })
        .where(isUsablePasskeyCode(param))
        .returning(["org_id", "user_id"]),
    )
    .selectFrom("begun")
    .innerJoin("users", (join) =>
      join.on("users.org_id", "=", param("ownerId", "uuid")).onRef("users.id", "=", "begun.user_id"),
    )
    .select(["users.user_name", "users.display_name"])
    .select(
      sql<BegunRow["passkeys"]>`coalesce((
          select jsonb_agg(jsonb_build_object('id', id, 'transports', transports) order by created_at, id) from passkeys
          where passkeys.org_id = begun.org_id and passkeys.user_id = begun.user_id), '[]')`.as("passkeys"),
    ),
);
