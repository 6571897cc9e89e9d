import type { Problems } from "../errors.ts";
import { describeNameProblem } from "../fields/name.ts";
import { trimText } from "../fields/trim-text.ts";
import { decodeCoseKey } from "./decode-cose-key.ts";
import { isUsableKey } from "./is-usable-key.ts";

/** `ImportHumanUserRequest.Passkey`. */
interface PasskeyFields {
  readonly credentialId: Uint8Array;
  /** COSE key (RFC 9052). */
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly name: string;
  readonly rpId: string;
  /** Empty if it is not known. */
  readonly userHandle: Uint8Array;
  readonly isBackupEligible?: boolean | undefined;
}

/**
 * Checks the passkeys of an import beyond the schema's rules, and converts them to rows in JSON: ids in base64url, other
 * bytes in base64.
 *
 * @param rpId The relying party id of this service.
 */
export function checkImportedPasskeys(passkeys: readonly PasskeyFields[], rpId: string, problems: Problems) {
  const first = new Map<string, number>();
  return passkeys.map((passkey, index) => {
    const path = `passkeys[${index}]`;
    const check = (field: string, description: string | undefined) => {
      if (description) problems.add(`${path}.${field}`, description);
    };
    const id = Buffer.from(passkey.credentialId).toString("base64url");
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else if (id !== "") check("credentialId", `must not repeat passkeys[${earlier}].credentialId`);
    const name = trimText(passkey.name);
    check("name", name === "" ? undefined : describeNameProblem(name));
    check("publicKey", passkey.publicKey.length > 0 && !isUsable(passkey.publicKey) ? UNUSABLE : undefined);
    check("rpId", passkey.rpId !== "" && passkey.rpId !== rpId ? `must be that of this service: ${rpId}` : undefined);
    return {
      id,
      public_key: Buffer.from(passkey.publicKey).toString("base64"),
      counter: passkey.counter,
      transports: [],
      aaguid: NO_MODEL,
      device_type: toDeviceType(passkey.isBackupEligible),
      backed_up: false,
      name: name || `Passkey ${index + 1}`,
      user_handle: Buffer.from(passkey.userHandle).toString("base64"),
    };
  });
}

function isUsable(publicKey: Uint8Array): boolean {
  const key = decodeCoseKey(publicKey);
  return key !== undefined && isUsableKey(key);
}

const UNUSABLE =
  "must be a COSE key for EdDSA with Ed25519, for ES256, or for RS256 with at least 2,048 bits, in its shortest encoding";

/** The AAGUID of an authenticator that does not reveal its model. */
const NO_MODEL = "00000000-0000-0000-0000-000000000000";

function toDeviceType(isBackupEligible: boolean | undefined): "singleDevice" | "multiDevice" | "unknown" {
  if (isBackupEligible === undefined) return "unknown";
  return isBackupEligible ? "multiDevice" : "singleDevice";
}
