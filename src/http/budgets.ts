import type { Rate } from "../token-bucket.ts";

/** The limits of unauthenticated clients. docs/security.md lists them. */
export interface Budgets {
  /** Connections in total, and per address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /**
   * Concurrent streams of an HTTP/2 connection: without an authorized caller, only the first connections of an address
   * get `streams`.
   */
  readonly streams: number;
  readonly streamsWhenCrowded: number;
  readonly crowdedConnections: number;
  /** New connections per address. */
  readonly newConnections: Rate;
  /** Open requests whose caller is not yet authorized, in total and per address. */
  readonly openRequests: number;
  readonly openRequestsPerAddress: number;
  /** Requests whose caller is not authorized: per address, and per connection on which another caller was authorized. */
  readonly requests: Rate;
  /**
   * Connections and requests per address that are over one of its other budgets, and are served if they bring a
   * credential that was valid recently. A connection over TLS counts as several.
   */
  readonly recognized: Rate;
  /** Connections over a budget of their address that wait for their first request, or for their end. */
  readonly heldConnections: number;
  /** How long a connection over a budget stays open after it was refused. Slows down clients that reconnect immediately. */
  readonly refusalMs: number;
  /**
   * Failed authentication attempts per address, counted separately for connections on which a caller was authorized.
   */
  readonly failures: Rate;
  /** How long an address that exceeded a budget waits before it may connect again. */
  readonly penaltyMs: number;
  /** Bytes per header list: names, values, and 32 for each field (RFC 9113, section 6.5.2). */
  readonly headerBytes: number;
  readonly headerFields: number;
  /** How long a client may take for its TLS handshake, its first bytes, and the head of an HTTP/1.1 request. */
  readonly headMs: number;
  /** How long a connection may be open without a request. */
  readonly idleMs: number;
  /**
   * How long a connection with open requests may go without transferring a byte, in addition to the time limit of a
   * call.
   */
  readonly stallMs: number;
  /** How long a client may take to receive a response. */
  readonly receiveMs: number;
  /**
   * Requests of unauthenticated clients are rejected while the event loop is late by more than this many milliseconds
   * and more than this many of these requests are open.
   */
  readonly loopDelayMs: number;
  readonly openRequestsWhenLate: number;
}

export const DEFAULT_BUDGETS: Budgets = {
  // An idle HTTP/2 connection takes about 20 KB.
  connections: 10_000,
  // A browser opens six, a gRPC client one to a few; an office behind one address may have hundreds of browsers.
  connectionsPerAddress: 512,
  streams: 256,
  // Node takes 20 to 30 µs to create a stream, and creates all that have arrived on all connections before any of them is
  // dispatched: 512 connections with 256 streams each kept the event loop busy for seconds. A client that sends more
  // than 16 requests before it has read the settings of its connection has to send the others again.
  streamsWhenCrowded: 16,
  crowdedConnections: 32,
  newConnections: { burst: 1_000, perSecond: 200 },
  // An open request takes about 10 KB: 40 MB in total.
  openRequests: 4_096,
  // Four HTTP/2 connections with 256 streams each.
  openRequestsPerAddress: 1_024,
  // A burst of 2,000 kept the event loop busy for 290 ms, one of 1,000 for half as long.
  requests: { burst: 1_000, perSecond: 500 },
  // Refusing a connection after its first request takes 0.3 ms over HTTP/1.1, and 0.45 ms over HTTP/2.
  recognized: { burst: 1_000, perSecond: 1_000 },
  heldConnections: 1_024,
  refusalMs: 2_000,
  // A misconfigured service that retries once a second never reaches this.
  failures: { burst: 200, perSecond: 20 },
  penaltyMs: 10_000,
  // Browsers send up to 8 KiB of cookies; a call has about 1 KiB.
  headerBytes: 16 * 1_024,
  headerFields: 100,
  headMs: 10_000,
  idleMs: 120_000,
  stallMs: 30_000,
  receiveMs: 30_000,
  loopDelayMs: 200,
  // A few late requests are not an attack. A process is late with its first requests after startup, and a client may
  // send 128 of them at once.
  openRequestsWhenLate: 256,
};
