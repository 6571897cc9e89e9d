import type { ClientSessionOptions, SecureClientSessionOptions } from "node:http2";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { createClients, type SignetClient, toTransportOptions } from "./clients.ts";
import type { SignetOptions } from "./options.ts";

export * from "./index.ts";

export interface SignetNodeOptions extends SignetOptions {
  /** Options of `http2.connect`, such as `ca` with the certificate of your own authority. */
  readonly http2?: ClientSessionOptions | SecureClientSessionOptions | undefined;
}

export interface SignetNodeClient extends SignetClient {
  /** Closes the connection, and fails the calls that are running. An idle connection does not keep a process alive. */
  close(): void;
}

/** A connection that was idle for longer is checked before a call uses it; one that is in use, every so often. */
const PING = { pingIntervalMs: 30_000, pingTimeoutMs: 5_000 };

/** A client over gRPC. Its calls share one connection, which opens at the first call, and again after it was lost. */
export function createSignetClient(options: SignetNodeOptions): SignetNodeClient {
  const sessionManager = new Http2SessionManager(options.baseUrl, PING, options.http2);
  const transport = createGrpcTransport({ ...toTransportOptions(options), sessionManager });
  return { ...createClients(transport), close: () => sessionManager.abort() };
}
