import { z } from "zod";
import { choice, requireValue, type Values, variable } from "./variables.ts";

/** How emails and SMS are sent. */
export interface MessagesConfig {
  readonly smtpUrl: string | undefined;
  readonly emailFrom: string | undefined;
  readonly sms: SmsProvider | undefined;
}

export type SmsProvider =
  | {
      readonly kind: "twilio";
      readonly accountSid: string;
      readonly authToken: string;
      readonly from: string;
      readonly baseUrl: string;
    }
  | { readonly kind: "webhook"; readonly url: string; readonly secret: string }
  | { readonly kind: "file" };

export const MESSAGES_VARIABLES = {
  SMTP_URL: variable(z.url({ protocol: /^smtps?$/ }), "a URL that starts with smtp:// or smtps://", "secret"),
  EMAIL_FROM: variable(z.string().regex(/^[^\r\n]*@[^\r\n]+$/), 'an address such as "Signet <no-reply@example.com>"'),
  SMS_PROVIDER: choice("twilio", "webhook", "file"),
  TWILIO_ACCOUNT_SID: variable(z.string(), "the account's SID"),
  TWILIO_AUTH_TOKEN: variable(z.string(), "the account's auth token", "secret"),
  TWILIO_FROM: variable(z.string(), "a phone number or a sender id"),
  TWILIO_BASE_URL: variable(z.url({ protocol: /^https?$/ }), "an http or https URL"),
  SMS_WEBHOOK_URL: variable(z.url({ protocol: /^https?$/ }), "an http or https URL", "secret"),
  SMS_WEBHOOK_SECRET: variable(z.string(), "the key of the webhook's signatures", "secret"),
};

type MessagesValues = Values<typeof MESSAGES_VARIABLES>;

export function readMessages(values: MessagesValues): MessagesConfig {
  if (values.SMTP_URL !== undefined) requireValue(MESSAGES_VARIABLES, values, "EMAIL_FROM", "SMTP_URL");
  return { smtpUrl: values.SMTP_URL, emailFrom: values.EMAIL_FROM, sms: readSmsProvider(values) };
}

function readSmsProvider(values: MessagesValues): SmsProvider | undefined {
  const kind = values.SMS_PROVIDER;
  const need = <N extends keyof MessagesValues>(name: N) =>
    requireValue(MESSAGES_VARIABLES, values, name, `SMS_PROVIDER=${kind}`);
  switch (kind) {
    case undefined:
      return undefined;
    case "file":
      return { kind };
    case "webhook":
      return { kind, url: need("SMS_WEBHOOK_URL"), secret: need("SMS_WEBHOOK_SECRET") };
    case "twilio":
      return {
        kind,
        accountSid: need("TWILIO_ACCOUNT_SID"),
        authToken: need("TWILIO_AUTH_TOKEN"),
        from: need("TWILIO_FROM"),
        baseUrl: values.TWILIO_BASE_URL ?? "https://api.twilio.com",
      };
    default:
      return kind satisfies never;
  }
}
