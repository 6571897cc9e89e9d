import { inOrg } from "../in-org.ts";
import type { Target } from "../moving-api.ts";

const ROUNDS = 3;
/** How much longer an import takes than a read. */
const FACTOR = 2;

/**
 * Estimates how long an import takes: by the time that this many reads take at once. Only the import itself shows the real rate.
 */
export async function estimateSeconds({ api, org }: Target, users: number, concurrency: number): Promise<number> {
  const since = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(Array.from({ length: concurrency }, () => api.management.getMyOrg({}, inOrg(org.id))));
  }
  const secondsOfCall = (performance.now() - since) / 1_000 / ROUNDS / concurrency;
  return users * secondsOfCall * FACTOR;
}
