import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy in front of a database. It can stop forwarding to the database, like a network that drops packets. */
export interface DatabaseProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Stops forwarding: the database receives nothing more, not even the end of a connection. */
  silence(): void;
  close(): void;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
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
