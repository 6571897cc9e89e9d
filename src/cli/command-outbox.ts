import type { Config } from "../config.ts";
import { createOutbox, type Outbox } from "../messages/outbox.ts";
import { emailRoute } from "../messages/senders/create-senders.ts";
import { openKeyring } from "../server/keyring.ts";

/** The outbox of a command. A running service finds what it queues within seconds, because it polls the queue. */
export function createCommandOutbox(config: Config): Outbox {
  return createOutbox({
    keyring: openKeyring(config),
    publicUrl: config.publicUrl,
    sendsEmail: emailRoute(config) !== "none",
    sendsSms: config.sms !== undefined,
    onQueued() {},
  });
}
