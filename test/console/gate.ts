import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a port that can be closed, as that to a service that restarts. */
export interface Gate {
  readonly port: number;
  /** Ends all connections, and refuses new ones. */
  close(): Promise<void>;
  /** Accepts connections again. */
  open(): Promise<void>;
}

export async function openGate(target: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  const server = createServer((inside) => {
    const outside = connect(target, "127.0.0.1");
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        inside.destroy();
        outside.destroy();
      });
    }
    inside.pipe(outside).pipe(inside);
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    open: () => listen(port),
  };
}
