import type { SealedColumn } from "../crypto/rotate-keys.ts";

/** Where client secrets are stored, encrypted. */
export const IDP_SEALED = { table: "idps", owner: "owner_id", column: "client_secret" } as const satisfies SealedColumn;
