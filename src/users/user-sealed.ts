import type { SealedColumn } from "../crypto/rotate-keys.ts";

/** Where one-time codes of users are stored, encrypted. */
export const USER_SEALED = { table: "users", owner: "org_id", column: "otp_code" } as const satisfies SealedColumn;
