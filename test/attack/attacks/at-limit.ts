import { Agent, type OutgoingHttpHeaders, request } from "node:http";
import { type Attack, type AttackContext, pause } from "../attack.ts";

/** A request of somebody without a token. */
export interface StrangerRequest {
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** With a body, the method is POST. */
  readonly form?: URLSearchParams;
}

const PER_SECOND = 450;
const TICK_MS = 20;
export const IN_FLIGHT = 300;

/** Sends these requests in turn, just below the limit of an address. */
export function atLimit(requests: readonly (() => StrangerRequest)[]): Attack {
  return async (context) => {
    const send = createSend(context, requests);
    const startedAt = performance.now();
    const open = new Set<Promise<void>>();
    for (let sent = 0; context.isGoing(); ) {
      const due = ((performance.now() - startedAt) * PER_SECOND) / 1_000;
      for (; sent < due; sent++) {
        if (open.size >= IN_FLIGHT) context.count("not sent");
        else {
          const done: Promise<void> = send().finally(() => open.delete(done));
          open.add(done);
        }
      }
      await pause(TICK_MS);
    }
  };
}

/** Sends one of the requests, over at most 300 connections. */
export function createSend(
  context: AttackContext,
  requests: readonly (() => StrangerRequest)[],
  common: OutgoingHttpHeaders = {},
): () => Promise<void> {
  const { port, localAddress } = context.plan;
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT, localAddress });
  let count = 0;
  return () =>
    new Promise((resolve) => {
      const { path, headers, form } = requests[count++ % requests.length]?.() ?? { path: "/" };
      const body = form?.toString();
      const sent = request({
        ...{ host: "127.0.0.1", port, path, agent },
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...common,
          ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
          ...headers,
        },
      });
      const end = (outcome: string) => {
        context.count(outcome);
        resolve();
      };
      sent.on("error", ({ message }) => void pause(5).then(() => end(message)));
      sent.on("response", (response) => {
        response.resume();
        response.on("error", () => {}).on("close", () => end(`status ${response.statusCode}`));
      });
      sent.end(body);
    });
}
