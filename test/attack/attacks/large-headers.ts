import { encodeFields, type Field, FLAG, FRAME, frame, headers } from "../../support/clients/http2-frames.ts";
import { type Attack, inParallel } from "../attack.ts";
import { keepSession } from "../raw-session.ts";
import { requestOf } from "../requests.ts";

const CONNECTIONS = 2;
const AT_ONCE = 10;
/** Below the server's stream limit, so that no request is refused because of it. */
const IN_FLIGHT = 200;

/** Streams with more header fields than legitimate ones. */
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

/** A 20 KB list of small fields, over the server's limit of 16 KB. */
export const longHeaderList: Attack = withFields(
  Array.from({ length: 100 }, (_, index) => [`x-field-${index}`, "a".repeat(190)]),
  IN_FLIGHT,
);

/** A frame holds 16 KB; the rest goes into a CONTINUATION frame. */
function inFrames(id: number, block: Buffer): Buffer[] {
  if (block.length <= 16_384) return [headers(id, block, { endStream: true })];
  return [
    frame(FRAME.headers, FLAG.endStream, id, block.subarray(0, 16_000)),
    frame(FRAME.continuation, FLAG.endHeaders, id, block.subarray(16_000)),
  ];
}
