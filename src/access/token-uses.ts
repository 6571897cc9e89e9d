import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Database } from "../database/database.ts";

/** Records when personal access tokens were last used, to the hour. */
export interface TokenUses {
  /** Takes note of a use. */
  add(tokenId: string, now: Date): void;
  /** Stores the uses since the last call. They are kept if the database fails. */
  store(db: Database): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** At most 2 MB. The use of a token that was dropped is stored again, which changes nothing. */
const MOST_REMEMBERED = 10_000;

/** Uses that are not stored when the process is killed are lost. */
export function createTokenUses(): TokenUses {
  const hours = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  const unstored = new Map<string, number>();
  return {
    add(tokenId, now) {
      const hour = Math.floor(now.getTime() / HOUR_MS);
      if (hours.get(tokenId) === hour) return;
      hours.set(tokenId, hour);
      if (unstored.size < MOST_REMEMBERED) unstored.set(tokenId, hour);
    },
    async store(db) {
      const uses = [...unstored];
      if (uses.length === 0) return;
      await storeUses(db, uses);
      for (const [tokenId, hour] of uses) if (unstored.get(tokenId) === hour) unstored.delete(tokenId);
    },
  };
}

async function storeUses(db: Database, uses: readonly (readonly [tokenId: string, hour: number])[]): Promise<void> {
  const ids = uses.map(([tokenId]) => tokenId);
  const hours = uses.map(([, hour]) => new Date(hour * HOUR_MS));
  await db
    .updateTable("tokens")
    .from(
      sql<{ id: string; hour: Date }>`(
        select * from unnest(${ids}::uuid[], ${hours}::timestamptz[]) as given (id, hour) order by id)`.as("used"),
    )
    .set({ last_used_at: sql<Date>`used.hour` })
    .whereRef("tokens.id", "=", "used.id")
    .where(sql<boolean>`coalesce(tokens.last_used_at < used.hour, true)`)
    .execute();
}
