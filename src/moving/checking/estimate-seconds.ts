import { inOrg } from "../in-org.ts";
import type { Target } from "../moving-api.ts";
import { createPatience, readPatiently } from "../running/call-patiently.ts";
import type { Pace } from "../running/pace.ts";

const ROUNDS = 3;
/** How much longer an import takes than a read. */
const FACTOR = 2;
/** The most reads at once. A command on the database has one connection, for which 64 calls may wait. */
const AT_ONCE = 32;

/**
 * Estimates how long an import takes: by the time that this many reads take at once. Only the import itself shows the real rate.
 *
 * @throws ConfigError; Stopped.
 */
export async function estimateSeconds(
  { api, org }: Target,
  {
    users,
    concurrency,
    stopped,
  }: { readonly users: number; readonly concurrency: number; readonly stopped: AbortSignal },
): Promise<number> {
  const calls = Math.min(concurrency, AT_ONCE);
  const patience = createPatience(allAtOnce(calls), stopped);
  const since = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) {
    const read = () => readPatiently(patience, () => api.management.getMyOrg({}, inOrg(org.id)));
    await Promise.all(Array.from({ length: calls }, read));
  }
  const secondsOfCall = (performance.now() - since) / 1_000 / ROUNDS / calls;
  return users * secondsOfCall * FACTOR;
}

/** Without the slow start of an import. */
function allAtOnce(limit: number): Pace {
  return { enter: async () => {}, leave() {}, limit };
}
