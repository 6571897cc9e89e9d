import type { Insertable } from "kysely";
import type { Keyring } from "../crypto/keyring.ts";
import type { SealedColumn } from "../crypto/rotate-keys.ts";
import { createId } from "../crypto/secrets.ts";
import type { Tables } from "../database/tables.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { addObject, type Change, type ChangeParts } from "../events/change-object.ts";
import type { ObjectRow } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";

export interface InsertIdpParts extends ChangeParts {
  readonly keyring: Keyring;
}

/** The columns of a new provider. */
type NewIdp = Omit<
  Insertable<Tables["idps"]>,
  keyof ObjectRow | "owner_id" | "id" | "client_secret" | "client_secret_key"
>;

/** Stores a new provider with its events. Encrypts the secret. */
export async function insertIdp(
  change: Change,
  keyring: Keyring,
  { owner, secret, ...idp }: NewIdp & { readonly owner: Owner; readonly secret: string },
  events: readonly NewEvent[],
) {
  const id = createId();
  const columns = { ...idp, owner_id: owner.id, id, ...sealSecret(keyring, id, secret) };
  return { id, ...(await addObject(change, "idps", columns, events)) };
}

/** The column of encrypted client secrets. */
export const IDP_SEALED = { table: "idps", owner: "owner_id", column: "client_secret" } as const satisfies SealedColumn;

/** Encrypts the client secret of a provider. @param id In lowercase, as it is stored. */
export function sealSecret(keyring: Keyring, id: string, secret: string) {
  const { ciphertext: client_secret, keyId: client_secret_key } = keyring.seal({ ...IDP_SEALED, rowId: id }, secret);
  return { client_secret, client_secret_key };
}
