import type { SealedColumn } from "../crypto/rotate-keys.ts";

/** The column of encrypted client secrets. */
export const IDP_SEALED = { table: "idps", owner: "owner_id", column: "client_secret" } as const satisfies SealedColumn;
