import { hashCredential, type RecentCredentials } from "../access/recent-credentials.ts";
import type { Clock } from "../clock.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { Exchange } from "../http/exchange.ts";
import { createDirectIntrospection } from "./introspection.ts";
import { isForm } from "./read-request.ts";
import { ROUTES } from "./routes.ts";
import { createDirectUserinfo } from "./userinfo.ts";

/** A successful response that does not come from oidc-provider. */
interface DirectResponse {
  readonly body: object;
  /** Whether the request has brought a valid token or secret. */
  readonly isAuthenticated: boolean;
}

interface DirectParts {
  readonly runTogether: RunTogether;
  readonly clock: Clock;
  readonly issuer: string;
  readonly clientHosts: readonly string[];
  readonly recentCredentials: RecentCredentials;
}

/**
 * Responds to the calls that applications make most, userinfo and introspection, with one statement each. Through
 * oidc-provider they take four to six, because it looks up the token, its session, grant, user and application one by
 * one.
 *
 * Only ordinary calls that succeed get their response here: from a server, with a token or secret in the usual place.
 * oidc-provider checks all others: proofs of keys (DPoP), client assertions, browsers of other origins, and those that
 * fail. If it accepts one, `respondToUserinfo` or `respondToIntrospection` creates the response.
 *
 * @returns A function that sends the response and returns its status, or undefined if oidc-provider has to respond.
 */
export function createDirectResponses(parts: DirectParts) {
  const readUser = createDirectUserinfo(parts);
  const introspect = createDirectIntrospection(parts);

  async function respond(exchange: Exchange, body: Buffer): Promise<DirectResponse | undefined> {
    if (exchange.path === ROUTES.userinfo) return await readUser(exchange);
    if (exchange.path !== ROUTES.introspection || !isForm(exchange.headers)) return undefined;
    return await introspect(exchange, new URLSearchParams(body.toString()));
  }

  return async (exchange: Exchange, body: Buffer): Promise<number | undefined> => {
    const response = await respond(exchange, body);
    if (response === undefined) return undefined;
    if (response.isAuthenticated) {
      const credential = hashCredential(exchange.headers.authorization ?? "");
      if (credential !== undefined) parts.recentCredentials.add(credential);
      exchange.trust();
    }
    exchange.send(200, ["x-request-id", exchange.id, ...HEADERS], Buffer.from(JSON.stringify(response.body)));
    return 200;
  };
}

const HEADERS = ["cache-control", "no-store", "content-type", "application/json; charset=utf-8", "vary", "Origin"];
