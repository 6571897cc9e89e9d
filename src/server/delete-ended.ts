import { sql } from "kysely";
import type { AppParts } from "../app.ts";
import { createPurge } from "../database/purge.ts";
import { createRetention, type Retention } from "../instance/retention.ts";
import { ENDED_MESSAGES } from "../messages/ended-messages.ts";
import { mailFolder, smsFolder } from "../messages/senders/create-senders.ts";
import { removeOldFiles } from "../messages/senders/message-file.ts";
import { ENDED_ATTEMPTS } from "../sign-in/ended-attempts.ts";

/** Deletes data that ended more than RETENTION_DAYS ago. Messages come first, because they refer to codes. */
export function deleteEnded({ config, db, clock, log }: Pick<AppParts, "config" | "db" | "clock" | "log">): Retention {
  return createRetention({
    db,
    clock,
    log,
    days: config.retentionDays,
    purges: [
      ENDED_MESSAGES,
      ENDED_CODES,
      ENDED_TOKENS,
      ENDED_RESPONSES,
      ENDED_ARTIFACTS,
      ENDED_IDP_ATTEMPTS,
      ENDED_REGISTRATIONS,
      ENDED_ATTEMPTS,
      ENDED_FAILURES,
      ENDED_DELIVERIES,
    ],
    async removeFiles(before) {
      for (const folder of [mailFolder(config), smsFolder(config)]) await removeOldFiles(folder, before);
    },
  });
}

/** Personal access tokens that were revoked or have expired. */
export const ENDED_TOKENS = createPurge({
  what: "tokens",
  table: "tokens",
  key: ["id"],
  endedAt: sql`least(revoked_at, expires_at)`,
  hasEnded: sql`(revoked_at is not null or expires_at is not null)`,
});

/**
 * Codes that were used or have expired. The limits on attempts and messages need only the codes of the last 24 hours.
 */
export const ENDED_CODES = createPurge({
  what: "codes",
  table: "codes",
  key: ["org_id", "id"],
  endedAt: sql`least(used_at, expires_at)`,
  hasEnded: sql`(used_at is not null or expires_at is not null)`,
});

/** Sessions, grants, codes and tokens that have expired. */
const ENDED_ARTIFACTS = createPurge({
  what: "sessions and tokens",
  isImmediate: true,
  table: "oidc_artifacts",
  key: ["kind", "key"],
  endedAt: sql.ref("expires_at"),
});

/** Deliveries that have ended, and those of webhooks that were removed. */
export const ENDED_DELIVERIES = createPurge({
  what: "webhook deliveries",
  table: "webhook_deliveries",
  key: ["owner_id", "id"],
  endedAt: sql`created_at`,
  hasEnded: sql`(state <> 'waiting' or not exists (
    select from webhooks
    where webhooks.owner_id = webhook_deliveries.owner_id and webhooks.id = webhook_deliveries.webhook_id))`,
});

/** Stored responses that have expired. */
export const ENDED_RESPONSES = createPurge({
  what: "responses",
  isImmediate: true,
  table: "idempotency_keys",
  key: ["caller_id", "key_hash"],
  endedAt: sql.ref("expires_at"),
});

/** Counters of failed sign-ins. */
const ENDED_FAILURES = createPurge({
  what: "counters of failed sign-ins",
  table: "failed_sign_ins",
  key: ["org_id", "user_id", "hour", "kind", "network", "browser"],
  endedAt: sql`hour`,
});

/** Sign-ins with a provider that were not completed. */
export const ENDED_IDP_ATTEMPTS = createPurge({
  what: "sign-ins with a provider",
  isImmediate: true,
  table: "idp_attempts",
  key: ["sign_in_hash"],
  endedAt: sql.ref("expires_at"),
});

/** Registrations whose links have expired. */
export const ENDED_REGISTRATIONS = createPurge({
  what: "registrations",
  isImmediate: true,
  table: "registrations",
  key: ["code_hash"],
  endedAt: sql.ref("expires_at"),
});
