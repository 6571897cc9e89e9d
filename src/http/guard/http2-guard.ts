import { ConnectionAllowances } from "./connection-allowances.ts";
import type { MillisecondClock } from "./frame-allowance.ts";
import {
  FRAME_HEADER_BYTES,
  FrameFlag,
  FrameType,
  fragmentStart,
  Http2ErrorCode,
  PREFACE,
  paddingBytes,
  readStreamId,
} from "./frames.ts";
import { HeaderBlockReader } from "./hpack.ts";
import { DEFAULT_HTTP2_BUDGETS, type Http2Budgets } from "./http2-budgets.ts";

/** Why a connection must be closed. */
export interface Http2Fault {
  /** `flood`: a budget is used up. Otherwise the bytes violate HTTP/2 or HPACK. */
  readonly kind: "flood" | "protocol" | "frame size" | "compression";
  readonly description: string;
  /** The error code for the GOAWAY frame (RFC 9113, section 7). */
  readonly code: number;
  /** The last stream that may have been served. */
  readonly lastStreamId: number;
}

/** Why a request must be rejected. */
export interface BadHeaders {
  /**
   * `malformed`: a field has a forbidden name or value (RFC 9113, section 8.2.1). `too large`: over `listBytes` or
   * `fields`.
   */
  readonly kind: "malformed" | "too large";
  /** The name of the malformed field, as sent: it may contain any bytes. */
  readonly name: string;
}

export interface Http2Guard {
  /**
   * Inspects the bytes from a client, starting with the first byte of its connection, in chunks of any size. After a
   * fault, neither this chunk nor a later one may be processed.
   */
  inspect(chunk: Buffer): Http2Fault | undefined;
  /** Returns why the request of a stream must be rejected, and forgets it. Call it as soon as the stream is known. */
  takeBadHeaders(streamId: number): BadHeaders | undefined;
}

/** The default of SETTINGS_MAX_FRAME_SIZE (RFC 9113, section 6.5.2), which the server does not change. */
const MAX_FRAME_BYTES = 16_384;
const SMALL_DATA_BYTES = 1_024;
/** The connection is closed if a request's headers exceed a limit by this factor. */
const EXCESS = 4;
const NO_BYTES = Buffer.alloc(0);

/**
 * Inspects the bytes of one HTTP/2 connection before nghttp2 gets them, because nghttp2 silently drops malformed
 * fields, and spends time and memory on each frame of a flood. Does not repeat nghttp2's own checks.
 *
 * @param mayOpenStream Whether the client may send one more request; called for each.
 */
export function createHttp2Guard(
  budgets: Http2Budgets = DEFAULT_HTTP2_BUDGETS,
  clock: MillisecondClock = () => performance.now(),
  mayOpenStream: () => boolean = () => true,
): Http2Guard {
  return new ConnectionGuard(budgets, clock, mayOpenStream);
}

class ConnectionGuard implements Http2Guard {
  readonly #budgets: Http2Budgets;
  readonly #mayOpenStream: () => boolean;
  readonly #allowances: ConnectionAllowances;
  readonly #reader = new HeaderBlockReader();
  readonly #badHeaders = new Map<number, BadHeaders>();

  #prefaceRead = 0;
  #lastStreamId = 0;
  /** The incomplete header of a frame at the end of the last chunk. */
  #head = NO_BYTES;
  #headRead = 0;
  /** The type and flags of the current frame. */
  #type = 0;
  #flags = 0;
  /** The number of bytes still missing from its payload. */
  #left = 0;
  /** The stream whose header block has not ended (RFC 9113, section 4.3); 0 if there is none. */
  #blockStreamId = 0;
  #continuations = 0;
  /** The parts of a header block that arrived in several pieces. */
  #block = NO_BYTES;
  #blockRead = 0;

  constructor(budgets: Http2Budgets, clock: MillisecondClock, mayOpenStream: () => boolean) {
    this.#budgets = budgets;
    this.#mayOpenStream = mayOpenStream;
    this.#allowances = new ConnectionAllowances(budgets, clock);
  }

  takeBadHeaders(streamId: number): BadHeaders | undefined {
    if (this.#badHeaders.size === 0) return undefined;
    const found = this.#badHeaders.get(streamId);
    this.#badHeaders.delete(streamId);
    return found;
  }

  inspect(chunk: Buffer): Http2Fault | undefined {
    const end = chunk.length;
    let at = 0;
    while (this.#prefaceRead < PREFACE.length && at < end) {
      if (chunk[at++] !== PREFACE[this.#prefaceRead++])
        return this.#fault("protocol", "the connection preface is wrong");
    }
    while (at < end) {
      if (this.#left > 0) {
        const stop = Math.min(end, at + this.#left);
        this.#left -= stop - at;
        if (this.#blockStreamId !== 0) this.#keep(chunk, at, stop);
        at = stop;
      } else {
        let head = chunk;
        let headAt = at;
        if (this.#headRead > 0 || end - at < FRAME_HEADER_BYTES) {
          if (this.#head.length === 0) this.#head = Buffer.allocUnsafe(FRAME_HEADER_BYTES);
          const copied = chunk.copy(this.#head, this.#headRead, at, at + FRAME_HEADER_BYTES - this.#headRead);
          this.#headRead += copied;
          at += copied;
          if (this.#headRead < FRAME_HEADER_BYTES) return undefined;
          this.#headRead = 0;
          head = this.#head;
          headAt = 0;
        } else at += FRAME_HEADER_BYTES;
        const fault = this.#beginFrame(head, headAt);
        if (fault) return fault;
        // The usual case: the whole header block is in one piece, and need not be copied.
        if (this.#type === FrameType.headers && this.#flags & FrameFlag.endHeaders && end - at >= this.#left) {
          const stop = at + this.#left;
          this.#left = 0;
          const broken = this.#endHeaders(chunk, at, stop);
          if (broken) return broken;
          at = stop;
          continue;
        }
      }
      if (this.#left === 0 && this.#blockStreamId !== 0) {
        const fault = this.#endPartOfBlock();
        if (fault) return fault;
      }
    }
    return undefined;
  }

  /** Reads a frame's header and charges the budget of its type. */
  #beginFrame(head: Buffer, at: number): Http2Fault | undefined {
    const length = ((head[at] ?? 0) << 16) | ((head[at + 1] ?? 0) << 8) | (head[at + 2] ?? 0);
    const type = head[at + 3] ?? 0;
    const flags = head[at + 4] ?? 0;
    this.#type = type;
    this.#flags = flags;
    this.#left = length;
    if (length > MAX_FRAME_BYTES) return this.#fault("frame size", "a frame is larger than 16 KiB");
    if (this.#blockStreamId !== 0 && type !== FrameType.continuation) {
      return this.#fault("protocol", "a header block is interrupted by another frame");
    }
    switch (type) {
      case FrameType.data:
        if (length >= SMALL_DATA_BYTES || flags & FrameFlag.endStream || this.#allowances.smallData.take(1))
          return undefined;
        return this.#fault("flood", "too many small DATA frames");
      case FrameType.headers:
        return this.#beginHeaders(readStreamId(head, at));
      case FrameType.continuation:
        return this.#beginContinuation(readStreamId(head, at), length);
      case FrameType.resetStream:
        return this.#allowances.resets.take(1) ? undefined : this.#fault("flood", "too many RST_STREAM frames");
      case FrameType.settings:
        return this.#allowances.settings.take(1) ? undefined : this.#fault("flood", "too many SETTINGS frames");
      case FrameType.ping:
        return this.#allowances.pings.take(1) ? undefined : this.#fault("flood", "too many PING frames");
      case FrameType.priority:
      case FrameType.windowUpdate:
        return this.#allowances.windowUpdates.take(1)
          ? undefined
          : this.#fault("flood", "too many WINDOW_UPDATE or PRIORITY frames");
      case FrameType.pushPromise:
        return this.#fault("protocol", "a client sent PUSH_PROMISE");
      default:
        return this.#allowances.otherFrames.take(1)
          ? undefined
          : this.#fault("flood", "too many frames of other types");
    }
  }

  #beginHeaders(streamId: number): Http2Fault | undefined {
    if (streamId === 0) return this.#fault("protocol", "HEADERS without a stream");
    if (!this.#allowances.streams.take(1) || !this.#mayOpenStream())
      return this.#fault("flood", "too many HEADERS frames");
    this.#blockStreamId = streamId;
    this.#continuations = 0;
    return undefined;
  }

  #beginContinuation(streamId: number, length: number): Http2Fault | undefined {
    if (this.#blockStreamId === 0 || streamId !== this.#blockStreamId) {
      return this.#fault("protocol", "CONTINUATION without a header block");
    }
    this.#continuations++;
    if (this.#continuations > this.#budgets.continuations) return this.#fault("flood", "too many CONTINUATION frames");
    return this.#blockRead + length > this.#budgets.blockBytes
      ? this.#fault("flood", "a header block is too large")
      : undefined;
  }

  /** Keeps a part of a header block. Memory grows only with the bytes sent. */
  #keep(chunk: Buffer, start: number, stop: number): void {
    const needed = this.#blockRead + stop - start;
    if (needed > this.#block.length) {
      const larger = Buffer.allocUnsafe(Math.max(1_024, needed, this.#block.length * 2));
      this.#block.copy(larger, 0, 0, this.#blockRead);
      this.#block = larger;
    }
    chunk.copy(this.#block, this.#blockRead, start, stop);
    this.#blockRead = needed;
  }

  /** Called at the end of a HEADERS or CONTINUATION frame whose bytes are in `#block`. */
  #endPartOfBlock(): Http2Fault | undefined {
    const isEnd = (this.#flags & FrameFlag.endHeaders) !== 0;
    if (this.#type === FrameType.headers) {
      if (isEnd) return this.#releaseBlock(this.#endHeaders(this.#block, 0, this.#blockRead));
      const start = fragmentStart(this.#flags, this.#block, 0, this.#blockRead);
      if (start < 0) return this.#fault("protocol", "the padding or the length of a HEADERS frame is wrong");
      const stop = this.#blockRead - paddingBytes(this.#flags, this.#block, 0);
      this.#block.copyWithin(0, start, stop);
      this.#blockRead = stop - start;
      return undefined;
    }
    return isEnd ? this.#releaseBlock(this.#readBlock(this.#block, 0, this.#blockRead)) : undefined;
  }

  #releaseBlock(fault: Http2Fault | undefined): Http2Fault | undefined {
    this.#block = NO_BYTES;
    this.#blockRead = 0;
    return fault;
  }

  /** Called with the payload of a HEADERS frame that contains a whole header block. */
  #endHeaders(bytes: Buffer, at: number, end: number): Http2Fault | undefined {
    if ((this.#flags & (FrameFlag.padded | FrameFlag.priority)) === 0) return this.#readBlock(bytes, at, end);
    const start = fragmentStart(this.#flags, bytes, at, end);
    if (start < 0) return this.#fault("protocol", "the padding or the length of a HEADERS frame is wrong");
    return this.#readBlock(bytes, start, end - paddingBytes(this.#flags, bytes, at));
  }

  #readBlock(bytes: Buffer, start: number, end: number): Http2Fault | undefined {
    const reader = this.#reader;
    const budgets = this.#budgets;
    const streamId = this.#blockStreamId;
    this.#blockStreamId = 0;
    if (end - start > budgets.blockBytes) return this.#fault("flood", "a header block is too large");
    if (!reader.read(bytes, start, end)) return this.#fault("compression", "a header block cannot be decoded");
    if (reader.fields > budgets.fields * EXCESS) return this.#fault("flood", "a request has too many header fields");
    if (reader.listBytes > budgets.listBytes * EXCESS) return this.#fault("flood", "a request's headers are too large");
    if (streamId > this.#lastStreamId) this.#allowances.creditStream();
    if (!this.#allowances.headerBytes.take(reader.listBytes)) return this.#fault("flood", "too many bytes of headers");
    if (streamId > this.#lastStreamId) this.#lastStreamId = streamId;
    if (reader.malformed !== undefined) return this.#note(streamId, { kind: "malformed", name: reader.malformed });
    if (reader.fields > budgets.fields || reader.listBytes > budgets.listBytes) {
      return this.#note(streamId, { kind: "too large", name: "" });
    }
    return undefined;
  }

  #note(streamId: number, bad: BadHeaders): Http2Fault | undefined {
    if (this.#badHeaders.size >= this.#budgets.badHeaders) return this.#fault("flood", "too many malformed requests");
    this.#badHeaders.set(streamId, bad);
    return undefined;
  }

  #fault(kind: Http2Fault["kind"], description: string): Http2Fault {
    return { kind, description, code: FAULT_CODES[kind], lastStreamId: this.#lastStreamId };
  }
}

const FAULT_CODES = {
  flood: Http2ErrorCode.enhanceYourCalm,
  protocol: Http2ErrorCode.protocolError,
  "frame size": Http2ErrorCode.frameSizeError,
  compression: Http2ErrorCode.compressionError,
} as const;
