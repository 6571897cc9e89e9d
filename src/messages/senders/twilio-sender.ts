import type { SmsProvider } from "../../config.ts";
import { basicAuth, postOnce } from "./post-once.ts";
import type { Sender, Sms } from "./sender.ts";

const LIMIT_MS = 10_000;

/**
 * Error codes of Twilio that say that this number cannot get an SMS (https://www.twilio.com/docs/api/errors). Others, such
 * as a region that the account may not send to (21408) or a sender that does not go with the number (21612), end when
 * somebody changes the account.
 */
const REFUSALS: readonly unknown[] = [
  21211, // it is no valid number
  21214, // it cannot be reached
  21217, // it does not appear to be valid
  21610, // its owner has answered STOP
  21614, // it is no mobile number
  21635, // it is a landline
];

/** Sends SMS by Twilio's Messages resource. It has no idempotency key: after a crash an SMS may come twice. */
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
    async send({ to, text }) {
      const answer = await postOnce(url, {
        headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ To: to, From: from, Body: text }).toString(),
        limitMs: LIMIT_MS,
      });
      if (answer.status === undefined) return { kind: "failed", error: `Twilio: ${answer.error}` };
      if (answer.status >= 200 && answer.status < 300) return { kind: "sent" };
      const code = readErrorCode(answer.text);
      const error = `Twilio answered ${answer.status}${code === undefined ? "" : `, error ${code}`}`;
      return { kind: answer.status === 400 && REFUSALS.includes(code) ? "refused" : "failed", error };
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
