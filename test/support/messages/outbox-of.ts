import { createOutbox, type Outbox } from "../../../src/messages/outbox.ts";
import type { TestService } from "../servers/service.ts";

/** An outbox like that of a service that sends emails, for tests that call an operation directly. */
export function outboxOf({ keyring, config }: Pick<TestService, "keyring" | "config">): Outbox {
  return createOutbox({ keyring, publicUrl: config.publicUrl, sendsEmail: true, sendsSms: false, onQueued() {} });
}
