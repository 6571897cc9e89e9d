import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the range from which Linux and others choose the ports of outgoing connections, and of servers on port 0. */
const PORTS = [20_000, 32_768] as const;

/** A free port, for a server that starts later: until then, only another call of this function can choose it too. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
