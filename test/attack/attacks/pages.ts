import { randomBytes, randomUUID } from "node:crypto";
import { Agent, type OutgoingHttpHeaders, request } from "node:http";
import { type Attack, type AttackContext, inParallel, pause } from "../attack.ts";

const PER_SECOND = 450;
const TICK_MS = 20;
const IN_FLIGHT = 300;

/** Page requests that need the database, just below the limit of an address. */
export const pagesAtLimit: Attack = async (context) => {
  const send = createSend(context, {});
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

/** 300 page requests in flight at all times. A server that trusts the attacker's address as a proxy sees another one. */
export const pagesInFlight: Attack = async (context) => {
  const send = createSend(context, { "x-forwarded-for": "203.0.113.9" });
  await inParallel(IN_FLIGHT, async () => {
    while (context.isGoing()) await send();
  });
};

/** Sends one of several requests, over at most 300 connections. */
function createSend(context: AttackContext, headers: OutgoingHttpHeaders): () => Promise<void> {
  const { port, localAddress } = context.plan;
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT, localAddress });
  let count = 0;
  return () =>
    new Promise((resolve) => {
      const path = PATHS[count++ % PATHS.length]?.() ?? "/";
      const authorization = `Bearer ${randomBytes(32).toString("base64url")}`;
      const sent = request({ host: "127.0.0.1", port, path, agent, headers: { ...headers, authorization } });
      const end = (outcome: string) => {
        context.count(outcome);
        resolve();
      };
      sent.on("error", ({ message }) => void pause(5).then(() => end(message)));
      sent.on("response", (response) => {
        response.resume();
        response.on("error", () => {}).on("close", () => end(`status ${response.statusCode}`));
      });
      sent.end();
    });
}

const PATHS: readonly (() => string)[] = [
  () => "/oidc/v1/userinfo",
  () => `/oauth/v2/authorize?client_id=${randomUUID()}&response_type=code&scope=openid`,
  () => `/ui/sign-in/${randomBytes(32).toString("base64url")}`,
];
