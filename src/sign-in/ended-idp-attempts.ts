import { sql } from "kysely";
import { createPurge } from "../database/purge.ts";

/** Sign-ins with a provider that were not completed. */
export const ENDED_IDP_ATTEMPTS = createPurge({
  what: "sign-ins with a provider",
  isImmediate: true,
  table: "idp_attempts",
  key: ["sign_in_hash"],
  endedAt: sql.ref("expires_at"),
});
