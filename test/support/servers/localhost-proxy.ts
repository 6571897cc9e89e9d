import { type AddressInfo, connect, createServer, type Server } from "node:net";

/** A proxy that gives a service an origin with the host `localhost`, as passkeys require, before the service starts. */
export interface LocalhostProxy {
  readonly origin: string;
  readonly server: Server;
  /** The service's port. The test sets it once the service listens. */
  readonly target: { port: number };
}

export async function startLocalhostProxy(): Promise<LocalhostProxy> {
  const target = { port: 0 };
  const server = createServer((incoming) => {
    const outgoing = connect(target.port, "127.0.0.1");
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on("error", () => outgoing.destroy());
    outgoing.on("error", () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server, target };
}
