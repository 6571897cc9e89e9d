import { LRUCache } from "lru-cache";
import { errors, type KoaContextWithOIDC } from "oidc-provider";
import type { Clock } from "../clock.ts";

/** The default interval (RFC 8628, section 3.2), and its increase for each poll that is too early. */
const INTERVAL_MS = 5_000;
/** Requests may take different times to arrive. */
const TOLERANCE_MS = 1_000;
/** When full, the code that was not polled for the longest time is dropped. */
const MAX_CODES = 10_000;

interface Poll {
  readonly at: number;
  readonly intervalMs: number;
}

/**
 * Provider middleware. Responds with `slow_down` to a device that polls for its tokens too often (RFC 8628, section
 * 3.5). Each process counts by itself, because the response protects the service from load, and a write for each poll
 * would be more load.
 */
export function slowDownPolls(clock: Clock) {
  const polls = new LRUCache<string, Poll>({ max: MAX_CODES });

  function isTooEarly(deviceCode: string): boolean {
    const now = clock().getTime();
    const { at, intervalMs } = polls.get(deviceCode) ?? { at: Number.NEGATIVE_INFINITY, intervalMs: INTERVAL_MS };
    const isEarly = now - at < intervalMs - TOLERANCE_MS;
    polls.set(deviceCode, { at: now, intervalMs: intervalMs + (isEarly ? INTERVAL_MS : 0) });
    return isEarly;
  }

  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    if (ctx.oidc?.route !== "token") return;
    const { error } = (ctx.body ?? {}) as { error?: unknown };
    const deviceCode = ctx.oidc.params?.device_code;
    if (error !== "authorization_pending" || typeof deviceCode !== "string" || !isTooEarly(deviceCode)) return;
    const { message, error_description } = new errors.SlowDown();
    ctx.body = { error: message, error_description };
  };
}
