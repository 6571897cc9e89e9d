import type { FrameBudget } from "./frame-allowance.ts";

/** The limits of one HTTP/2 connection. A frame takes Node 20 to 50 µs. */
export interface Http2Budgets {
  /** HEADERS frames. */
  readonly streams: FrameBudget;
  /** RST_STREAM frames (CVE-2023-44487). */
  readonly resets: FrameBudget;
  readonly settings: FrameBudget;
  readonly pings: FrameBudget;
  /** WINDOW_UPDATE and PRIORITY frames. */
  readonly windowUpdates: FrameBudget;
  /** DATA frames of less than 1 KiB, including empty ones, that do not end their stream. */
  readonly smallData: FrameBudget;
  /** Bytes of field sections, counted as SETTINGS_MAX_HEADER_LIST_SIZE does (RFC 9113, section 6.5.2). */
  readonly headerBytes: FrameBudget;
  /** Frames of other types, such as GOAWAY and unknown ones. */
  readonly otherFrames: FrameBudget;
  /** CONTINUATION frames of one header block. */
  readonly continuations: number;
  /** Bytes of one compressed header block. */
  readonly blockBytes: number;
  /**
   * Bytes of one request's field section. A request with more is rejected; one with four times as many closes the
   * connection.
   */
  readonly listBytes: number;
  /** Fields of one request, including each crumb of a cookie; the same applies. */
  readonly fields: number;
  /** Requests with malformed or too large headers that the server has not yet fetched with `takeBadHeaders`. */
  readonly badHeaders: number;
}

/** Limits that legitimate clients do not reach, however busy they are. */
export const DEFAULT_HTTP2_BUDGETS: Http2Budgets = {
  // More calls than one core can serve. nghttp2 itself refuses streams over the limit on concurrent streams.
  streams: { burst: 50_000, perSecond: 50_000, perStream: 0 },
  // Four times 256 calls that time out together. A client may cancel half of its calls.
  resets: { burst: 1_000, perSecond: 200, perStream: 0.5 },
  // A client sends one, one acknowledgement, and a few more when it adapts its window.
  settings: { burst: 100, perSecond: 10, perStream: 0 },
  // grpc-go measures round trips with at most one ping for each response.
  pings: { burst: 1_000, perSecond: 100, perStream: 2 },
  // Some clients send two for each DATA frame that they receive; a response of 64 KiB has four.
  windowUpdates: { burst: 2_000, perSecond: 500, perStream: 8 },
  // A 1 MiB body in pieces of 256 bytes. Some gRPC clients send a message's prefix in a separate frame.
  smallData: { burst: 4_000, perSecond: 1_000, perStream: 4 },
  // A call's headers with a token are about 1 KiB; browsers send up to 8 KiB of cookies.
  headerBytes: { burst: 1_048_576, perSecond: 1_048_576, perStream: 2_048 },
  // Browsers send frames of unknown types to keep servers tolerant (RFC 8701 does so for TLS).
  otherFrames: { burst: 100, perSecond: 10, perStream: 2 },
  // 16 KiB of headers fit into one frame.
  continuations: 8,
  // A block larger than `listBytes` is still read, so that only the request fails, not the connection.
  blockBytes: 65_536,
  listBytes: 16_384,
  fields: 128,
  badHeaders: 256,
};
