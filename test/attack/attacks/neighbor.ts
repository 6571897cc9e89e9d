import { encodeFields, headers } from "../../support/clients/http2-frames.ts";
import { type Attack, type AttackContext, inParallel } from "../attack.ts";
import { keepSession, untilEvent } from "../raw-session.ts";
import { requestOf } from "../requests.ts";

const CONNECTIONS = 300;
const STREAMS_AT_ONCE = 10;

/**
 * Requests without a token on 300 connections, half of them HTTP/2, as fast as they are served. A connection that the
 * server closes is opened again immediately.
 */
export const neighbor: Attack = (context) =>
  inParallel(CONNECTIONS, (index) => (index % 2 === 0 ? askOverHttp1(context) : askOverHttp2(context)));

async function askOverHttp1(context: AttackContext): Promise<void> {
  while (context.isGoing()) {
    const socket = await context.connect("http/1.1");
    socket?.on("data", (chunk: Buffer) => context.count(`HTTP/1.1 ${chunk.toString("latin1", 9, 12)}`));
    socket?.once("end", () => socket.destroy());
    while (socket?.writable && context.isGoing()) {
      socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
      context.count("requests");
      await untilEvent(socket, "data");
    }
    socket?.destroy();
  }
}

function askOverHttp2(context: AttackContext): Promise<void> {
  const block = encodeFields(requestOf("healthz").fields);
  return keepSession(context, {}, async (session) => {
    while (session.isOpen() && context.isGoing()) {
      const ids = Array.from({ length: STREAMS_AT_ONCE }, () => session.nextId());
      await session.write(...ids.map((id) => headers(id, block, { endStream: true })));
      context.count("requests", STREAMS_AT_ONCE);
      await session.waitForRoom(ids, 0);
    }
  });
}
