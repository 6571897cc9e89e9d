import pg from "pg";
import { KEEP_ALIVE_MS } from "./connection.ts";
import { readUrlOptions } from "./tls-options.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** A subscription to notifications. */
export interface Listening {
  /** Stops listening. Does not wait for the database, because it may be unresponsive. */
  close(): void;
}

/**
 * Listens to a PostgreSQL channel over a dedicated connection. Reconnects with exponential backoff.
 *
 * `onNotify` is called on each notification, and after each connect, because notifications may have been missed.
 * `onLost` is called before the next attempt when the connection is lost or cannot be opened.
 *
 * @param channel An SQL identifier, unquoted.
 */
export function listenForNotifications(
  url: string,
  channel: string,
  { onNotify, onLost }: { readonly onNotify: () => void; readonly onLost: (error: Error) => void },
): Listening {
  const options = readUrlOptions(url);
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  async function open(): Promise<void> {
    const opened = new pg.Client({
      ...options,
      application_name: "signet listener",
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    client = opened;
    let isLost = false;
    const lose = (error: Error) => {
      if (isLost || isClosed) return;
      isLost = true;
      opened.end().catch(() => {});
      onLost(error);
      timer = setTimeout(open, Math.min(FIRST_PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS));
    };
    opened.on("error", lose).on("end", () => lose(new Error("the connection ended")));
    opened.on("notification", onNotify);
    try {
      await opened.connect();
      await opened.query(`listen ${pg.escapeIdentifier(channel)}`);
      failures = 0;
      onNotify();
    } catch (error) {
      lose(error instanceof Error ? error : new Error(String(error)));
    }
  }

  void open();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      client?.end().catch(() => {});
    },
  };
}
