import { randomBytes } from "node:crypto";
import type { AuthenticatorTransport, PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { isUsablePasskeyCode, type PasskeyCode, type PasskeyCodeValues } from "./passkey-code.ts";
import { PASSKEY_ALGORITHMS } from "./verify-passkey.ts";

/** What a person may take over choosing a device and proving who they are (WebAuthn, section 15.1: 5 to 10 minutes). */
const CEREMONY_MS = 300_000;

/**
 * Begins the registration of a passkey: binds a fresh challenge to the code. One that was begun before with the same
 * code is over.
 *
 * The function gives what `navigator.credentials.create` takes, in JSON (WebAuthn, `parseCreationOptionsFromJSON`), or
 * undefined where the code is used, expired or replaced. It throws SignetError where the database gives an error.
 *
 * @param rpId The relying party id: a domain.
 */
export function createBeginPasskey({ db, rpId, clock }: { db: Kysely<Tables>; rpId: string; clock: Clock }) {
  const bindChallenge = prepareBindChallenge(db);

  return async (code: PasskeyCode): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> => {
    const challenge = randomBytes(32);
    const [row] = await bindChallenge({ ...code, challenge: challenge.toString("base64url"), now: clock() });
    if (row === undefined) return undefined;
    // Loaded once it is needed: it takes 0.3 s, which the start of the service should not.
    const { generateRegistrationOptions } = await import("@simplewebauthn/server");
    return generateRegistrationOptions({
      rpName: "Signet",
      rpID: rpId,
      userID: Uint8Array.from(Buffer.from(code.userId.replaceAll("-", ""), "hex")),
      userName: row.user_name,
      userDisplayName: row.display_name ?? row.user_name,
      challenge: Uint8Array.from(challenge),
      timeout: CEREMONY_MS,
      attestationType: "none",
      authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
      excludeCredentials: row.passkeys,
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    });
  };
}

interface BegunRow {
  user_name: string;
  display_name: string | null;
  passkeys: { id: string; transports: AuthenticatorTransport[] }[];
}

/** Writes the challenge where the code is valid, and gives its user with the passkeys that the user has. */
function prepareBindChallenge(db: Kysely<Tables>) {
  return prepareStatementOn<PasskeyCodeValues & { challenge: string }, BegunRow>(db, (param) =>
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
        join.onRef("users.org_id", "=", "begun.org_id").onRef("users.id", "=", "begun.user_id"),
      )
      .select(["users.user_name", "users.display_name"])
      .select(
        sql<BegunRow["passkeys"]>`coalesce((
          select jsonb_agg(jsonb_build_object('id', id, 'transports', transports) order by created_at, id) from passkeys
          where passkeys.org_id = begun.org_id and passkeys.user_id = begun.user_id), '[]')`.as("passkeys"),
      ),
  );
}
