import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Something between a client and a database that may come to swallow what the client says. */
export interface Between {
  /** The database's URL, by this way. */
  readonly url: string;
  /** From now on the database hears nothing, not even that a client hangs up. */
  silence(): void;
  close(): void;
}

export async function startBetween(databaseUrl: string): Promise<Between> {
  const url = new URL(databaseUrl);
  const [port, host] = [Number(url.port), url.hostname];
  const sockets: Socket[] = [];
  let isSilent = false;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const database = connect(port, host);
    sockets.push(client, database);
    for (const socket of [client, database]) socket.on("error", () => {});
    client.on("data", (chunk) => isSilent || database.write(chunk));
    client.on("end", () => isSilent || database.end());
    database.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    silence() {
      isSilent = true;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
