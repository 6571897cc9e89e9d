import { inOrg } from "../in-org.ts";
import type { Target } from "../moving-api.ts";
import { createPatience, readPatiently } from "../running/call-patiently.ts";
import type { Pace } from "../running/pace.ts";

const ROUNDS = 10;
/** A command on the database has one connection, for which 64 calls may wait. */
const AT_ONCE = 64;
/** How many reads take as long as the import of a user: 0.47 to 0.67 with 20,000 users on PostgreSQL, up to 0.8 with 5,000. */
const READS_PER_USER = 0.6;

/**
 * Estimates how long an import takes from the time of a read among many. The fastest round counts, because the first ones are slow.
 * Only the import itself shows the real rate.
 *
 * @throws ConfigError; Stopped.
 */
export async function estimateSeconds({ api, org }: Target, users: number, stopped: AbortSignal): Promise<number> {
  const patience = { ...createPatience(AT_ONCE, stopped), pace: ALL_AT_ONCE };
  const read = () => readPatiently(patience, () => api.management.getMyOrg({}, inOrg(org.id)));
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const since = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, read));
    fastest = Math.min(fastest, performance.now() - since);
  }
  return (users * READS_PER_USER * fastest) / AT_ONCE / 1_000;
}

/** Without the slow start of an import. */
const ALL_AT_ONCE: Pace = { enter: async () => {}, leave() {}, limit: AT_ONCE };
