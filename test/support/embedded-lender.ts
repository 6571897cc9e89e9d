import { cpSync } from "node:fs";
import { connect as connectSocket, createServer, type Server } from "node:net";
import { join } from "node:path";
import { type Embedded, startEmbedded } from "../../src/database/embedded.ts";

/** Runs one embedded database per Jest worker, because startup takes about a second of CPU time. */
export interface EmbeddedLender {
  /** The Unix socket that `borrowEmbedded` connects to. */
  readonly path: string;
  /** Stops all databases. */
  close(): Promise<void>;
}

/**
 * Starts the lender. A database starts when a worker first borrows it.
 *
 * @param folder Contains the databases, and the socket.
 * @param template The data folder to copy for each.
 */
export async function createEmbeddedLender(folder: string, template: string): Promise<EmbeddedLender> {
  const started = new Map<string, Promise<Embedded>>();
  const start = (worker: string) => {
    const dataDir = join(folder, worker);
    cpSync(template, dataDir, { recursive: true });
    return startEmbedded(dataDir);
  };
  const server: Server = createServer((socket) => {
    socket
      .on("error", () => {})
      .once("data", async (data) => {
        const worker = data.toString();
        const starting = started.get(worker) ?? start(worker);
        started.set(worker, starting);
        await starting.then(
          ({ socketDir }) => socket.end(socketDir),
          () => socket.destroy(),
        );
      });
  });
  const path = join(folder, "lender");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    async close() {
      server.close();
      for (const starting of started.values()) await (await starting).close();
    },
  };
}

/** Returns the socket folder of the database of this Jest worker. Its tables may contain rows of earlier tests. */
export function borrowEmbedded(path: string, worker: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let socketDir = "";
    connectSocket(path)
      .on("error", reject)
      .on("data", (data) => {
        socketDir += data;
      })
      .on("end", () =>
        socketDir === "" ? reject(new Error("the embedded database did not start")) : resolve(socketDir),
      )
      .write(worker);
  });
}
