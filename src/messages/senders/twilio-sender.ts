import type { SmsProvider } from "../../config.ts";
import { basicAuth, postOnce } from "./post-once.ts";
import type { Sender, Sms } from "./sender.ts";

const LIMIT_MS = 10_000;

/**
 * Twilio's error codes for a number that cannot receive SMS (https://www.twilio.com/docs/api/errors). Other errors,
 * such as a region that is not enabled (21408) or a sender that does not match the number (21612), can be fixed in the
 * account.
 */
const REFUSALS: readonly unknown[] = [
  21211, // invalid number
  21214, // unreachable number
  21217, // number does not appear to be valid
  21610, // the recipient has replied STOP
  21614, // not a mobile number
  21635, // landline
];

/** Sends SMS through Twilio's Messages resource. There is no idempotency key, so a crash can duplicate an SMS. */
export function createTwilioSender({
  accountSid,
  authToken,
  from,
  baseUrl,
}: Extract<SmsProvider, { kind: "twilio" }>): Sender<Sms> {
  const path = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const url = `${baseUrl.replace(/\/+$/, "")}${path}`;
  const authorization = basicAuth({ user: accountSid, password: authToken });
  return {
    async send({ to, text }, span) {
      const response = await postOnce(url, {
        headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ To: to, From: from, Body: text }).toString(),
        limitMs: LIMIT_MS,
        span,
      });
      if (response.status === undefined) return { kind: "failed", error: `Twilio: ${response.error}` };
      if (response.status >= 200 && response.status < 300) return { kind: "sent" };
      const code = readErrorCode(response.text);
      const error = `Twilio returned ${response.status}${code === undefined ? "" : `, error ${code}`}`;
      return { kind: response.status === 400 && REFUSALS.includes(code) ? "refused" : "failed", error };
    },
    close() {},
  };
}

function readErrorCode(text: string): number | undefined {
  try {
    const { code } = JSON.parse(text);
    return Number.isInteger(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
