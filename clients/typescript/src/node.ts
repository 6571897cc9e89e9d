import type { ClientSessionOptions, SecureClientSessionOptions } from "node:http2";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { createClients, type SignetClient, toTransportOptions } from "./clients.ts";
import type { SignetOptions } from "./options.ts";

export * from "./index.ts";

export interface SignetNodeOptions extends SignetOptions {
  /** Options for `http2.connect`, such as `ca` with the certificate of a private authority. */
  readonly http2?: ClientSessionOptions | SecureClientSessionOptions | undefined;
}

export interface SignetNodeClient extends SignetClient {
  /** Closes the connection, and fails running calls. An idle connection does not keep the process alive. */
  close(): void;
}

/**
 * A connection that was idle for longer is checked before a call uses it; a connection in use is checked at this
 * interval.
 */
const PING = { pingIntervalMs: 30_000, pingTimeoutMs: 5_000 };

/** A gRPC client. Its calls share one connection, which is opened on the first call, and reopened after it is lost. */
export function createSignetClient(options: SignetNodeOptions): SignetNodeClient {
  const sessionManager = new Http2SessionManager(options.baseUrl, PING, options.http2);
  const transport = createGrpcTransport({ ...toTransportOptions(options), sessionManager });
  return { ...createClients(transport), close: () => sessionManager.abort() };
}
