import type { AppParts } from "../app.ts";
import { redactDatabaseError } from "../database/failure.ts";
import { listenForNotifications } from "../database/listen-for-notifications.ts";
import { createDelivery } from "../messages/create-delivery.ts";
import { createNotifyQueued, QUEUED_CHANNEL } from "../messages/notify-queued.ts";
import { createSenders } from "../messages/senders/create-senders.ts";

/**
 * Sends queued messages. Processes that share a PostgreSQL database notify each other of new messages. If a pooler
 * shares sessions, processes cannot listen for notifications, so they only poll.
 */
export function deliverMessages({ config, db, keyring, clock, log, tracer }: Omit<AppParts, "onQueued">) {
  const { publicUrl } = config;
  const databaseUrl = config.databasePrepared ? config.databaseUrl : undefined;
  const delivery = createDelivery({
    db,
    keyring,
    clock,
    senders: createSenders(config, clock),
    publicUrl,
    log,
    tracer,
  });
  const notifyOthers = databaseUrl === undefined ? () => {} : createNotifyQueued(db);
  let listening: ReturnType<typeof listenForNotifications> | undefined;
  return {
    counters: delivery.counters,
    announce() {
      delivery.wake();
      notifyOthers();
    },
    start() {
      delivery.start();
      if (databaseUrl === undefined) return;
      listening = listenForNotifications(databaseUrl, QUEUED_CHANNEL, {
        onNotify: delivery.wake,
        onLost: (error) =>
          log.warn({ err: redactDatabaseError(error) }, "lost the connection that listens for queued messages"),
      });
    },
    async stop(graceMs: number) {
      listening?.close();
      await delivery.stop(graceMs);
    },
  };
}
