import { ENDED_TOKENS } from "../access/ended-tokens.ts";
import type { AppParts } from "../app.ts";
import { ENDED_CODES } from "../codes/ended-codes.ts";
import { createRetention, type Retention } from "../instance/retention.ts";
import { ENDED_MESSAGES } from "../messages/ended-messages.ts";
import { mailFolder, smsFolder } from "../messages/senders/create-senders.ts";
import { removeOldFiles } from "../messages/senders/message-file.ts";
import { ENDED_ARTIFACTS } from "../oidc/ended-artifacts.ts";
import { ENDED_RESPONSES } from "../rpc/stored-responses.ts";
import { ENDED_ATTEMPTS } from "../sign-in/ended-attempts.ts";
import { ENDED_IDP_ATTEMPTS } from "../sign-in/ended-idp-attempts.ts";
import { ENDED_DELIVERIES } from "../webhooks/ended-deliveries.ts";

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
      ENDED_ATTEMPTS,
      ENDED_DELIVERIES,
    ],
    async removeFiles(before) {
      for (const folder of [mailFolder(config), smsFolder(config)]) await removeOldFiles(folder, before);
    },
  });
}
