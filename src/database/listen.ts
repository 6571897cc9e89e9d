import pg from "pg";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** A connection that listens, until it is closed. */
export interface Listening {
  /** Hears nothing more. It does not wait for the database, which may not answer. */
  close(): void;
}

/**
 * Listens to a channel of PostgreSQL (LISTEN) over a connection of its own, and makes another one when it breaks.
 *
 * `onNotify` is called for each notification, and whenever a connection begins to listen, because nobody knows what came
 * before. `onLost` is called when a connection broke or could not be made; what to do about it is to wait.
 *
 * @param channel A plain identifier of SQL.
 */
export function listen(
  url: string,
  channel: string,
  { onNotify, onLost }: { readonly onNotify: () => void; readonly onLost: (error: Error) => void },
): Listening {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  async function open(): Promise<void> {
    const opened = new pg.Client({
      connectionString: url,
      application_name: "signet listener",
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
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
