import { sql } from "kysely";
import { createPurge } from "../database/purge.ts";

/** Sessions, grants, codes and tokens that have expired. */
export const ENDED_ARTIFACTS = createPurge({
  what: "sessions and tokens",
  isImmediate: true,
  table: "oidc_artifacts",
  key: ["kind", "key"],
  endedAt: sql.ref("expires_at"),
});
