import { randomBytes, randomUUID } from "node:crypto";
import { type Attack, inParallel } from "../attack.ts";
import { atLimit, createSend, IN_FLIGHT, type StrangerRequest } from "./at-limit.ts";

const withUnknownToken = (path: string): StrangerRequest => ({
  path,
  headers: { authorization: `Bearer ${randomBytes(32).toString("base64url")}` },
});

/** Requests that need the database. */
const PAGES: readonly (() => StrangerRequest)[] = [
  () => withUnknownToken("/oidc/v1/userinfo"),
  () => withUnknownToken(`/oauth/v2/authorize?client_id=${randomUUID()}&response_type=code&scope=openid`),
  () => withUnknownToken(`/ui/sign-in/${randomBytes(32).toString("base64url")}`),
];

/** Page requests that need the database, just below the limit of an address. */
export const pagesAtLimit: Attack = atLimit(PAGES);

/** 300 page requests in flight at all times. A server that trusts the attacker's address as a proxy sees another one. */
export const pagesInFlight: Attack = async (context) => {
  const send = createSend(context, PAGES, { "x-forwarded-for": "203.0.113.9" });
  await inParallel(IN_FLIGHT, async () => {
    while (context.isGoing()) await send();
  });
};
