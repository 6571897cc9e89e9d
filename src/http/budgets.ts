import type { Rate } from "./token-bucket.ts";

/** The limits of unauthenticated clients. docs/security.md explains each figure. */
export interface Budgets {
  /** Connections in total, and per address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** New connections per address. */
  readonly newConnections: Rate;
  /** Open requests whose caller is not yet authorized, in total and per address. */
  readonly openRequests: number;
  readonly openRequestsPerAddress: number;
  /** Requests per address whose caller is not authorized. */
  readonly requests: Rate;
  /** Failed authentication attempts per address. */
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
  newConnections: { burst: 1_000, perSecond: 200 },
  // An open request takes about 10 KB: 40 MB in total.
  openRequests: 4_096,
  openRequestsPerAddress: 1_024,
  // A burst of 2,000 kept the event loop busy for 290 ms, one of 1,000 for half as long.
  requests: { burst: 1_000, perSecond: 500 },
  // A misconfigured service that retries once a second never reaches this.
  failures: { burst: 200, perSecond: 20 },
  penaltyMs: 10_000,
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
