import type { Socket } from "node:net";
import { FLAG, FRAME, PREFACE, SETTINGS_ACK, settings } from "../support/clients/http2-frames.ts";
import { type AttackContext, pause } from "./attack.ts";

/** An HTTP/2 connection on which the attacker writes every byte itself. */
export interface RawSession {
  readonly socket: Socket;
  readonly isOpen: () => boolean;
  /** The next client stream id. */
  readonly nextId: () => number;
  /** Writes, and resolves once the socket accepts more data, the connection is closed, or a second has passed. */
  write(...parts: Uint8Array[]): Promise<void>;
  /** Counts streams as open, and waits until at most `max` are open, for attacks that avoid being refused. */
  waitForRoom(ids: readonly number[], max: number): Promise<void>;
}

export interface RawSessionOptions {
  readonly settings?: readonly (readonly [id: number, value: number])[];
  /** Whether the attacker reads what the server sends. */
  readonly isReading?: boolean;
  /** Whether the attack sends the preface itself. */
  readonly isBare?: boolean;
}

export async function openRawSession(
  context: AttackContext,
  options: RawSessionOptions = {},
): Promise<RawSession | undefined> {
  const socket = await context.connect("h2");
  if (socket === undefined) return undefined;
  const open = new Set<number>();
  let lastId = -1;
  let wake = () => {};

  const onFrame = (type: number, flags: number, streamId: number) => {
    if (type === FRAME.settings && (flags & FLAG.ack) === 0) socket.write(SETTINGS_ACK);
    if (type === FRAME.goAway) context.count("GOAWAY");
    if (type === FRAME.resetStream) context.count("RST_STREAM");
    if (type === FRAME.headers) context.count("answers");
    const isEnd = (type === FRAME.headers || type === FRAME.data) && (flags & FLAG.endStream) !== 0;
    if ((isEnd || type === FRAME.resetStream) && open.delete(streamId)) wake();
  };
  if (options.isReading === false) socket.pause();
  else socket.on("data", createFrameReader(onFrame));
  // The server may close its side; without this, the socket would stay half-open.
  socket.once("end", () => socket.destroy());
  socket.once("close", () => wake());

  const session: RawSession = {
    socket,
    isOpen: () => !socket.destroyed && socket.writable,
    nextId: () => {
      lastId += 2;
      return lastId;
    },
    async write(...parts) {
      if (!session.isOpen()) return;
      const isRoom = socket.write(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts));
      if (isRoom) await new Promise((resolve) => setImmediate(resolve));
      else await untilEvent(socket, "drain");
    },
    async waitForRoom(ids, max) {
      for (const id of ids) open.add(id);
      const from = performance.now();
      while (open.size > max && session.isOpen() && performance.now() - from < 1_000) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([woken, pause(100)]);
      }
    },
  };
  if (!options.isBare) socket.write(Buffer.concat([PREFACE, settings(options.settings)]));
  return session;
}

/** Opens one connection after another, so that the attack continues if the server closes them. */
export async function keepSession(
  context: AttackContext,
  options: RawSessionOptions,
  use: (session: RawSession) => Promise<void>,
): Promise<void> {
  while (context.isGoing()) {
    const session = await openRawSession(context, options);
    if (session === undefined) continue;
    await use(session);
    session.socket.destroy();
  }
}

/** Resolves on the event or the end of the connection, or after a second. */
export function untilEvent(socket: Socket, event: "drain" | "data" | "close", longestMs = 1_000): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      socket.off(event, done).off("close", done);
      resolve();
    };
    const timer = setTimeout(done, longestMs);
    socket.once(event, done).once("close", done);
    if (socket.destroyed) done();
  });
}

/** Calls back with the header of each frame, and skips the payload. */
export function createFrameReader(
  onFrame: (type: number, flags: number, streamId: number) => void,
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let skip = 0;
  return (chunk) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    rest = Buffer.alloc(0);
    for (;;) {
      const skipped = Math.min(skip, bytes.length);
      skip -= skipped;
      bytes = bytes.subarray(skipped);
      if (skip > 0 || bytes.length < 9) break;
      skip = 9 + bytes.readUIntBE(0, 3);
      onFrame(bytes[3] as number, bytes[4] as number, bytes.readUInt32BE(5) & 0x7fffffff);
    }
    if (skip === 0) rest = Buffer.from(bytes);
  };
}
