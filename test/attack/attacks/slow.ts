import type { Socket } from "node:net";
import { data, encodeFields, headers } from "../../support/clients/http2-frames.ts";
import { type Attack, type AttackContext, inParallel, pause } from "../attack.ts";
import { openRawSession } from "../raw-session.ts";
import { IMPORT_REST, requestOf, unknownToken } from "../requests.ts";

const CONNECTIONS = 250;
const PAUSE_MS = 250;

/** Heads that arrive byte by byte and never end, over HTTP/1.1 and HTTP/2. */
export const slowHeads: Attack = async (context) => {
  const drips = [
    ...(await openAll(context, "http/1.1", (socket) => {
      socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ");
      return () => socket.write("a");
    })),
    ...(await openAll(context, "h2", (socket) => {
      // A single frame, byte by byte: Node closes a connection at the ninth CONTINUATION frame.
      const block = encodeFields([...requestOf("healthz").fields, ["x-slow", "a".repeat(10_000)]]);
      const whole = headers(1, block, { endStream: true });
      let sent = 100;
      socket.write(whole.subarray(0, sent));
      return () => socket.write(whole.subarray(sent, ++sent));
    })),
  ];
  await dripAll(context, drips);
};

/** Bodies that arrive byte by byte and never end, over HTTP/1.1 and HTTP/2; with a valid and an unknown token. */
export const slowBodies: Attack = async (context) => {
  const token = (index: number) => (index % 2 === 0 ? context.plan.token : unknownToken());
  const drips = [
    ...(await openAll(context, "http/1.1", (socket, index) => {
      const fields = `host: localhost\r\nauthorization: Bearer ${token(index)}\r\ncontent-type: application/json`;
      socket.write(`POST ${IMPORT_REST} HTTP/1.1\r\n${fields}\r\ncontent-length: 100000\r\n\r\n{`);
      return () => socket.write(" ");
    })),
    ...(await openAll(context, "h2", (socket, index) => {
      socket.write(headers(1, encodeFields(requestOf("grpc", token(index)).fields), { endStream: false }));
      return () => socket.write(data(1, Buffer.alloc(1), { endStream: false }));
    })),
  ];
  await dripAll(context, drips);
};

interface Drip {
  readonly socket: Socket;
  readonly drip: () => void;
}

async function openAll(
  context: AttackContext,
  protocol: "h2" | "http/1.1",
  begin: (socket: Socket, index: number) => () => void,
): Promise<Drip[]> {
  const drips: Drip[] = [];
  await inParallel(CONNECTIONS, async (index) => {
    const socket = protocol === "h2" ? (await openRawSession(context))?.socket : await context.connect(protocol);
    if (socket === undefined) return;
    socket.resume();
    drips.push({ socket, drip: begin(socket, index) });
  });
  return drips;
}

async function dripAll(context: AttackContext, drips: readonly Drip[]): Promise<void> {
  while (context.isGoing()) {
    for (const { socket, drip } of drips) if (socket.writable) drip();
    await pause(PAUSE_MS);
  }
  context.count("open at the end", drips.filter(({ socket }) => socket.writable).length);
}
