import { createHmac } from "node:crypto";
import type { Clock } from "../../clock.ts";
import { postOnce } from "./post-once.ts";
import type { Sender, Sms } from "./sender.ts";

const LIMIT_MS = 5_000;
/** The one status that says that this number cannot get an SMS. */
const REFUSED = 422;

/**
 * Sends SMS by a server of the operator's own: a POST of `{"id", "to", "text"}` in JSON, with
 *
 * - `Idempotency-Key`: the id, the same in each attempt;
 * - `Signet-Signature: t=<unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>" under the secret, in hex>`.
 *
 * Any 2xx is success, 422 a refusal of the number for good, and all else is tried again.
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
    async send({ id, to, text }) {
      const body = JSON.stringify({ id, to, text });
      const time = Math.floor(clock().getTime() / 1_000);
      const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
      const answer = await postOnce(url, {
        headers: {
          "content-type": "application/json",
          "idempotency-key": id,
          "signet-signature": `t=${time},v1=${signature}`,
        },
        body,
        limitMs: LIMIT_MS,
      });
      if (answer.status === undefined) return { kind: "failed", error: `webhook: ${answer.error}` };
      if (answer.status >= 200 && answer.status < 300) return { kind: "sent" };
      return { kind: answer.status === REFUSED ? "refused" : "failed", error: `webhook answered ${answer.status}` };
    },
    close() {},
  };
}
