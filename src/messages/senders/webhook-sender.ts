import { createHmac } from "node:crypto";
import type { Clock } from "../../clock.ts";
import { postOnce } from "./post-once.ts";
import type { Sender, Sms } from "./sender.ts";

const LIMIT_MS = 5_000;
/** The only status for a number that cannot receive SMS. */
const REFUSED = 422;

/**
 * Sends SMS messages through the operator's own server: a POST request with `{"id", "to", "text"}` in JSON and these
 * headers:
 *
 * - `Idempotency-Key`: the id, the same in each attempt;
 * - `Signet-Signature: t=<unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>" under the secret, in hex>`.
 *
 * A 2xx status means success, and 422 that the number is permanently rejected. Any other outcome is retried.
 */
export function createWebhookSender({
  url,
  secret,
  clock,
}: {
  url: string;
  secret: string;
  clock: Clock;
}): Sender<Sms> {
  return {
    async send({ id, to, text }, span) {
      const body = JSON.stringify({ id, to, text });
      const time = Math.floor(clock().getTime() / 1_000);
      const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
      const response = await postOnce(url, {
        headers: {
          "content-type": "application/json",
          "idempotency-key": id,
          "signet-signature": `t=${time},v1=${signature}`,
        },
        body,
        limitMs: LIMIT_MS,
        span,
      });
      if (response.status === undefined) return { kind: "failed", error: `webhook: ${response.error}` };
      if (response.status >= 200 && response.status < 300) return { kind: "sent" };
      return { kind: response.status === REFUSED ? "refused" : "failed", error: `webhook returned ${response.status}` };
    },
    close() {},
  };
}
