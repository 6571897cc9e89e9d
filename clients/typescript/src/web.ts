import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { createClients, type SignetClient, toTransportOptions } from "./clients.ts";
import type { SignetOptions } from "./options.ts";

export * from "./index.ts";

/**
 * A client over gRPC-Web, for browsers. The origin of the page must be in CORS_ORIGINS. Use access tokens of the person who
 * signed in: everyone who opens a page with a personal access token has that token.
 */
export function createSignetClient(options: SignetOptions): SignetClient {
  return createClients(createGrpcWebTransport(toTransportOptions(options)));
}
