import { type AddressInfo, connect, createServer, type Server } from "node:net";

/** A proxy for a service: passkeys need a host name, and a port that is known before the service starts. */
export interface LocalFront {
  readonly origin: string;
  readonly server: Server;
  /** The service's address; set once it listens. */
  readonly target: { port: number };
}

export async function startLocalFront(): Promise<LocalFront> {
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
