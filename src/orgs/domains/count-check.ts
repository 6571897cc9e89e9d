import type { QueryCaller } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../database/database.ts";
import { countInHour } from "../../database/hourly-limit.ts";
import { SignetError } from "../../errors.ts";

/** The most checks of its domains that an organization can request in an hour, because each sends requests to others. */
export const MAX_CHECKS_PER_HOUR = 60;

/**
 * Counts a check before it is made.
 *
 * @throws SignetError TOO_MANY_DOMAIN_CHECKS, or for a failure of the database.
 */
export async function countCheck(
  parts: { readonly db: Database; readonly clock: Clock },
  orgId: string,
  caller: QueryCaller,
): Promise<void> {
  const limit = { key: `domain-checks:${orgId}`, max: MAX_CHECKS_PER_HOUR };
  const retryAfterMs = await countInHour(parts, limit, caller);
  if (retryAfterMs === undefined) return;
  const message = `an organization can check its domains ${MAX_CHECKS_PER_HOUR} times per hour`;
  throw new SignetError("TOO_MANY_DOMAIN_CHECKS", message, { retryAfterMs });
}
