import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import type { Config, SmsProvider } from "../../config.ts";
import { createMailFileSender, createSmsFileSender } from "./file-senders.ts";
import { DEFAULT_FROM } from "./mail-options.ts";
import type { Sender, Senders, Sms } from "./sender.ts";
import { createSmtpSender } from "./smtp-sender.ts";
import { createTwilioSender } from "./twilio-sender.ts";
import { createWebhookSender } from "./webhook-sender.ts";

/** Where emails go. With `none`, they stay queued. */
export type EmailRoute = "smtp" | "files" | "none";

/** Files are for development, so they are used only with the embedded database. */
export function emailRoute({ smtpUrl, databaseUrl }: Config): EmailRoute {
  if (smtpUrl !== undefined) return "smtp";
  return databaseUrl === undefined ? "files" : "none";
}

/** The folder for emails that are written to files. */
export function mailFolder({ dataDir }: Config): string {
  return join(dataDir, "mail");
}

/** The folder for SMS that are written to files. */
export function smsFolder({ dataDir }: Config): string {
  return join(dataDir, "sms");
}

/** Creates the senders that the configuration enables. */
export function createSenders(config: Config, clock: Clock): Senders {
  const from = config.emailFrom ?? DEFAULT_FROM;
  const sms = config.sms && { sms: createSmsSender(config, config.sms, clock) };
  const route = emailRoute(config);
  switch (route) {
    case "smtp":
      return { ...sms, email: createSmtpSender({ url: config.smtpUrl ?? "", from }) };
    case "files":
      return { ...sms, email: createMailFileSender({ folder: mailFolder(config), from }) };
    case "none":
      return { ...sms };
    default:
      return route satisfies never;
  }
}

function createSmsSender(config: Config, provider: SmsProvider, clock: Clock): Sender<Sms> {
  switch (provider.kind) {
    case "twilio":
      return createTwilioSender(provider);
    case "webhook":
      return createWebhookSender({ ...provider, clock });
    case "file":
      return createSmsFileSender({ folder: smsFolder(config) });
    default:
      return provider satisfies never;
  }
}
