import { SignetError } from "../../errors.ts";
import type { Outbox } from "../../messages/outbox.ts";

/** @throws SignetError MAIL_SERVER_MISSING or SMS_PROVIDER_MISSING if this server cannot send on the channel. */
export function requireChannel({ sendsEmail, sendsSms }: Outbox, channel: "email" | "sms"): void {
  if (channel === "email" && !sendsEmail) {
    throw new SignetError("MAIL_SERVER_MISSING", "no email can be sent: SMTP_URL is not set");
  }
  if (channel === "sms" && !sendsSms) {
    throw new SignetError("SMS_PROVIDER_MISSING", "no SMS can be sent: SMS_PROVIDER is not set");
  }
}
