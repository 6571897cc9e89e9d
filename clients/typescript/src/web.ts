import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { createClients, type SignetClient, toTransportOptions } from "./clients.ts";
import type { SignetOptions } from "./options.ts";

export * from "./index.ts";

/**
 * A gRPC-Web client for browsers. The page's origin must be in CORS_ORIGINS. Use access tokens of the signed-in user:
 * everyone who opens a page that contains a personal access token has that token.
 */
export function createSignetClient(options: SignetOptions): SignetClient {
  return createClients(createGrpcWebTransport(toTransportOptions(options)));
}
