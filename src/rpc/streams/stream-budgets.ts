import type { Rate } from "../../token-bucket.ts";

/** The limits of streams. docs/security.md lists them. */
export interface StreamBudgets {
  /** Open streams in total, and per address, or per user if a token is required. */
  readonly streams: number;
  readonly streamsPerAddress: number;
  /** Open streams of the users of an organization; undefined if no token is required. */
  readonly streamsPerOrg?: number;
  /** Bytes per request message. */
  readonly messageBytes: number;
  /** Request messages per stream. */
  readonly messages: number;
  /** Request messages on all streams of one address. */
  readonly messageRate: Rate;
  /** How long a call may wait for its next message. */
  readonly idleMs: number;
  /** How long a client may take to receive sent messages. */
  readonly receiveMs: number;
  /** How often an HTTP/2 PING checks that listening clients are still connected. */
  readonly pingMs: number;
}

export const DEFAULT_STREAM_BUDGETS: StreamBudgets = {
  // An open stream takes about 20 KB: 20 MB in total.
  streams: 1_024,
  // One per connection of a gRPC client that watches health, and a few for tools.
  streamsPerAddress: 64,
  // A request names one symbol or one service.
  messageBytes: 4_096,
  // A tool that asks for every symbol of the contract sends a few hundred.
  messages: 1_000,
  // A response with 90 KB of descriptors takes 0.1 ms.
  messageRate: { burst: 1_000, perSecond: 100 },
  // Less than the time after which the port closes a connection without a byte.
  idleMs: 30_000,
  receiveMs: 30_000,
  pingMs: 15_000,
};

/** The limits of streams that require a token. */
export const DEFAULT_WATCH_BUDGETS: StreamBudgets = {
  ...DEFAULT_STREAM_BUDGETS,
  streams: 2_048,
  streamsPerAddress: 100,
  // An organization can have any number of users.
  streamsPerOrg: 512,
  // A request names at most 50 types.
  messageBytes: 16_384,
  // Three heartbeats.
  idleMs: 60_000,
  // A slow reader is held back, and costs no more than the buffers of its connection.
  receiveMs: 300_000,
};
