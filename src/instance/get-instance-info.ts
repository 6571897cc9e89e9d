import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../database/database.ts";
import { lastMigration, pendingMigrations } from "../database/migrate.ts";
import { countOutbox } from "../messages/count-outbox.ts";
import { type EmailRoute, emailRoute } from "../messages/senders/create-senders.ts";
import { listKeys } from "./list-keys.ts";
import { settingsOf } from "./settings-of.ts";

export interface GetInstanceInfoParts {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly config: Config;
  /** Of Signet; undefined on the command line. */
  readonly version?: string | undefined;
}

/** What an operator needs to know about the instance. It contains no secret. */
export interface InstanceInfo {
  readonly instanceId: string;
  readonly version: string;
  readonly databaseVersion: string;
  readonly isDatabaseEmbedded: boolean;
  readonly latestMigration: string;
  readonly pendingMigrations: readonly string[];
  readonly emailRoute: EmailRoute;
  readonly settings: ReturnType<typeof settingsOf>;
  readonly keys: Awaited<ReturnType<typeof listKeys>>;
  readonly queues: readonly InstanceQueue[];
}

/** The messages that wait; `oldestAt` is when the oldest one was queued. */
interface InstanceQueue {
  readonly channel: "email" | "sms";
  readonly messages: number;
  readonly oldestAt: Date | undefined;
}

/**
 * Describes the instance, and the process that responds (docs/reference/instance.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function getInstanceInfo(
  { db, keyring, clock, config, version = "" }: GetInstanceInfoParts,
  _fields: object,
  call: Call,
): Promise<InstanceInfo> {
  const now = clock();
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db);
  return {
    instanceId: call.instanceId,
    version,
    databaseVersion: rows[0]?.version ?? "",
    isDatabaseEmbedded: config.databaseUrl === undefined,
    latestMigration: await lastMigration(db),
    pendingMigrations: await pendingMigrations(db),
    emailRoute: emailRoute(config),
    settings: settingsOf(config),
    keys: await listKeys(db, keyring, now),
    queues: await countQueues(db, now),
  };
}

async function countQueues(db: Database, now: Date): Promise<InstanceQueue[]> {
  const counts = await countOutbox(db, now);
  return (["email", "sms"] as const).map((channel) => {
    const waiting = counts.filter((count) => count.channel === channel && count.messages > 0);
    const oldest = Math.max(...waiting.map(({ oldestSeconds }) => oldestSeconds));
    return {
      channel,
      messages: waiting.reduce((sum, { messages }) => sum + messages, 0),
      oldestAt: waiting.length === 0 ? undefined : new Date(now.getTime() - oldest * 1_000),
    };
  });
}
