import type { Exchange } from "./exchange.ts";
import { type Mount, sendWrongMethod } from "./router.ts";

const HEADERS = ["content-type", "text/plain; charset=utf-8", "cache-control", "no-store"];

/**
 * `/healthz` succeeds while the process runs, `/readyz` while the service can serve.
 *
 * @param checkReady Resolves while the service can serve, and rejects while it cannot.
 */
export function createHealthMounts(checkReady: () => Promise<void>): Mount[] {
  const mount = (prefix: string, check: () => Promise<void>): Mount => ({
    prefix,
    handler(exchange) {
      if (exchange.method !== "GET" && exchange.method !== "HEAD") {
        return sendWrongMethod(exchange, ["x-request-id", exchange.id], ["GET", "HEAD"]);
      }
      check().then(
        () => respond(exchange, 200, "ok\n"),
        () => respond(exchange, 503, "unavailable\n"),
      );
    },
  });
  return [mount("/healthz", async () => {}), mount("/readyz", checkReady)];
}

function respond(exchange: Exchange, status: number, text: string): void {
  exchange.send(status, ["x-request-id", exchange.id, ...HEADERS], Buffer.from(text));
}
