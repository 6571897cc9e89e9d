import { describe, expect, test } from "@jest/globals";
import { FrameFlag, FrameType, PREFACE } from "../../../src/http/guard/frames.ts";
import { DEFAULT_HTTP2_BUDGETS, type Http2Budgets } from "../../../src/http/guard/http2-budgets.ts";
import { createHttp2Guard, type Http2Fault, type Http2Guard } from "../../../src/http/guard/http2-guard.ts";
import { frame, HELLO, headers, indexed, literal, request } from "../../support/http2-frames.ts";
import { createRandom } from "../../support/random.ts";

const END = FrameFlag.endHeaders | FrameFlag.endStream;
const bad = request(literal("x-service-orgid", "a\n"));

/** A guard that has read the preface, with a clock that only `pass` advances. */
function begin(budgets: Partial<Http2Budgets> = {}) {
  let now = 0;
  const guard = createHttp2Guard({ ...DEFAULT_HTTP2_BUDGETS, ...budgets }, () => now);
  expect(guard.inspect(HELLO)).toBeUndefined();
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { guard, pass };
}

/** How many of the frames pass before a fault, up to `most`. */
function countPassed(
  guard: Http2Guard,
  most: number,
  make: (index: number) => Buffer,
): [number, Http2Fault | undefined] {
  for (let index = 0; index < most; index++) {
    const fault = guard.inspect(make(index));
    if (fault) return [index, fault];
  }
  return [most, undefined];
}

const open = (index: number) => headers(index * 2 + 1, request());
const reset = (streamId: number) => frame(FrameType.resetStream, 0, streamId, Buffer.alloc(4));

describe("the bytes", () => {
  const split = request(literal("x-a", "v".repeat(300), { indexing: "incremental" }));
  const padded = Buffer.concat([Buffer.of(3), request(), Buffer.alloc(3)]);
  const both = Buffer.concat([Buffer.of(3, 0, 0, 0, 0, 16), bad, Buffer.alloc(3)]);
  const bytes = Buffer.concat([
    HELLO,
    headers(1, request(), END),
    headers(3, bad),
    headers(5, split.subarray(0, 10), FrameFlag.endStream),
    frame(FrameType.continuation, 0, 5, split.subarray(10, 100)),
    frame(FrameType.continuation, FrameFlag.endHeaders, 5, split.subarray(100)),
    frame(FrameType.data, FrameFlag.endStream, 1, Buffer.alloc(2_000, "\n")),
    headers(7, padded, END | FrameFlag.padded),
    headers(9, both, FrameFlag.padded | FrameFlag.priority),
    frame(FrameType.continuation, FrameFlag.endHeaders, 9, indexed(62)),
    headers(11, both, END | FrameFlag.padded | FrameFlag.priority),
    headers(13, Buffer.alloc(0), FrameFlag.endStream),
    frame(FrameType.continuation, FrameFlag.endHeaders, 13, Buffer.concat([request(), indexed(62)])),
    frame(FrameType.ping, 0, 0, Buffer.alloc(8)),
    headers(15, Buffer.concat([request(), literal("X", "a")])),
  ]);
  const badStreams = [3, 9, 11, 15];
  const check = (chunks: Buffer[]) => {
    const guard = createHttp2Guard();
    for (const chunk of chunks) expect(guard.inspect(chunk)).toBeUndefined();
    expect(ids(guard)).toEqual(badStreams);
  };
  const ids = (guard: Http2Guard) => [1, 3, 5, 7, 9, 11, 13, 15].filter((id) => guard.takeBadHeaders(id));

  test("are equivalent in two pieces, split anywhere", () => {
    for (let cut = 0; cut <= bytes.length; cut++) check([bytes.subarray(0, cut), bytes.subarray(cut)]);
  });

  test("are equivalent in pieces of any size", () => {
    for (let size = 1; size < 60; size++) {
      const count = Math.ceil(bytes.length / size);
      check(Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)));
    }
  });

  test("may be anything: no input makes the guard throw", () => {
    const random = createRandom(1);
    for (let round = 0; round < 3_000; round++) {
      const guard = createHttp2Guard();
      const broken = Buffer.from(bytes);
      for (let change = 0; change < 5; change++) broken[random.between(24, broken.length - 1)] = random.below(256);
      const cut = random.below(bytes.length);
      if (!guard.inspect(broken.subarray(0, cut))) guard.inspect(broken.subarray(cut));
    }
  });
});

describe("a malformed request", () => {
  test("is reported once, with its stream and the field's name, and is not a fault", () => {
    const { guard } = begin();
    expect(guard.inspect(headers(1, bad))).toBeUndefined();
    expect(guard.takeBadHeaders(3)).toBeUndefined();
    expect(guard.takeBadHeaders(1)).toEqual({ kind: "malformed", name: "x-service-orgid" });
    expect(guard.takeBadHeaders(1)).toBeUndefined();
  });

  test("that is never fetched becomes a fault", () => {
    const { guard } = begin({ badHeaders: 10 });
    const [passed, fault] = countPassed(guard, 100, (index) => headers(index * 2 + 1, bad));
    expect([passed, fault?.kind]).toEqual([10, "flood"]);
  });

  test("with a larger field section or more fields than allowed is reported as too large", () => {
    const { guard } = begin();
    const crumbs = Array.from({ length: 200 }, () => literal(32, "a=b"));
    guard.inspect(headers(1, request(...crumbs)));
    expect(guard.takeBadHeaders(1)?.kind).toBe("too large");
    const large = literal("x-large", "v".repeat(3_900), { indexing: "incremental" });
    guard.inspect(headers(3, request(large, ...Array.from({ length: 5 }, () => indexed(62)))));
    expect(guard.takeBadHeaders(3)?.kind).toBe("too large");
  });
});

describe("a flood is a fault", () => {
  const small = { burst: 10, perSecond: 10, perStream: 0 };
  test.each<[string, keyof Http2Budgets, (index: number) => Buffer]>([
    ["HEADERS", "streams", open],
    ["RST_STREAM", "resets", () => reset(1)],
    ["SETTINGS", "settings", () => frame(FrameType.settings, 0, 0)],
    ["acknowledgements of SETTINGS", "settings", () => frame(FrameType.settings, 1, 0)],
    ["PING", "pings", () => frame(FrameType.ping, 0, 0, Buffer.alloc(8))],
    ["WINDOW_UPDATE", "windowUpdates", () => frame(FrameType.windowUpdate, 0, 0, Buffer.of(0, 0, 0, 1))],
    ["PRIORITY", "windowUpdates", () => frame(FrameType.priority, 0, 1, Buffer.alloc(5))],
    ["empty DATA", "smallData", () => frame(FrameType.data, 0, 1)],
    ["DATA of one byte", "smallData", () => frame(FrameType.data, 0, 1, Buffer.of(1))],
    ["GOAWAY", "otherFrames", () => frame(FrameType.goAway, 0, 0, Buffer.alloc(8))],
    ["unknown frames", "otherFrames", () => frame(0xfa, 0, 0)],
  ])("%s", (_name, budget, make) => {
    const { guard, pass } = begin({ [budget]: small });
    guard.inspect(HELLO.subarray(0, 0));
    const [passed, fault] = countPassed(guard, 100, make);
    // The client's first SETTINGS count as well.
    expect(passed).toBe(budget === "settings" ? 9 : 10);
    expect(fault).toMatchObject({ kind: "flood", code: 0xb });

    const again = begin({ [budget]: small });
    for (let second = 0; second < 20; second++) {
      again.pass(1_000);
      expect(countPassed(again.guard, 9, (index) => make(second * 9 + index))[1]).toBeUndefined();
    }
    pass(0);
  });

  test("bytes of field sections, including those that one byte of HPACK represents", () => {
    const { guard } = begin({ headerBytes: { burst: 100_000, perSecond: 0, perStream: 0 } });
    guard.inspect(headers(1, request(literal("x-bomb", "v".repeat(4_000), { indexing: "incremental" }))));
    const [passed, fault] = countPassed(guard, 100, (i) => headers(i * 2 + 3, request(indexed(62), indexed(62))));
    expect(passed).toBeLessThan(12);
    expect(fault?.kind).toBe("flood");
  });

  test("one request with four times as many fields, or bytes of them, as allowed", () => {
    const fields = begin().guard.inspect(headers(1, request(...Array.from({ length: 600 }, () => literal(32, "")))));
    expect(fields?.kind).toBe("flood");
    const large = literal("x-bomb", "v".repeat(4_000), { indexing: "incremental" });
    const bytes = begin().guard.inspect(headers(1, request(large, ...Array.from({ length: 20 }, () => indexed(62)))));
    expect(bytes?.kind).toBe("flood");
  });

  test("more CONTINUATION frames than a header block needs, empty ones included", () => {
    const { guard } = begin();
    guard.inspect(headers(1, request(), FrameFlag.endStream));
    const [passed, fault] = countPassed(guard, 100, () => frame(FrameType.continuation, 0, 1));
    expect([passed, fault?.kind]).toEqual([DEFAULT_HTTP2_BUDGETS.continuations, "flood"]);
  });

  test("a header block of more than 64 KiB, before its bytes arrive", () => {
    const { guard } = begin();
    guard.inspect(headers(1, Buffer.alloc(15_000), FrameFlag.endStream));
    for (let count = 0; count < 3; count++) guard.inspect(frame(FrameType.continuation, 0, 1, Buffer.alloc(15_000)));
    const next = frame(FrameType.continuation, FrameFlag.endHeaders, 1, Buffer.alloc(10_000));
    expect(guard.inspect(next.subarray(0, 9))?.kind).toBe("flood");
  });
});

describe("a busy client passes", () => {
  test("with 256 calls that time out at the same time, every second", () => {
    const { guard, pass } = begin();
    let next = 1;
    for (let second = 0; second < 60; second++) {
      for (let call = 0; call < 256; call++, next += 2) {
        expect(guard.inspect(headers(next, request(), FrameFlag.endHeaders))).toBeUndefined();
        expect(guard.inspect(reset(next))).toBeUndefined();
      }
      pass(1_000);
    }
  });

  test("with 20,000 calls per second, each with two pings and eight window updates", () => {
    const { guard, pass } = begin();
    const body = frame(FrameType.data, FrameFlag.endStream, 1, Buffer.alloc(80));
    const prefix = frame(FrameType.data, 0, 1, Buffer.alloc(5));
    const update = frame(FrameType.windowUpdate, 0, 0, Buffer.of(0, 0, 0, 1));
    const ping = frame(FrameType.ping, 0, 0, Buffer.alloc(8));
    const rest = Buffer.concat([prefix, body, ping, ping, ...Array.from({ length: 8 }, () => update)]);
    const block = request(literal(23, "t".repeat(400)), literal("x-service-orgid", "o".repeat(36)));
    for (let call = 0; call < 100_000; call++) {
      const fault = guard.inspect(Buffer.concat([headers(call * 2 + 1, block, FrameFlag.endHeaders), rest]));
      if (fault) throw new Error(`call ${call}: ${fault.description}`);
      if (call % 20 === 19) pass(1);
    }
  });

  test("with half of its calls canceled, but not with all of them", () => {
    for (const [every, isFault] of [
      [2, false],
      [1, true],
    ] as const) {
      const { guard } = begin();
      const [, fault] = countPassed(guard, 10_000, (index) =>
        index % every === 0 ? Buffer.concat([open(index), reset(index * 2 + 1)]) : open(index),
      );
      expect(fault !== undefined).toBe(isFault);
    }
  });
});

describe("a violation of the protocol is a fault", () => {
  test.each<[string, Buffer[], string]>([
    ["another preface", [Buffer.from("GET / HTTP/1.1\r\n")], "protocol"],
    ["a frame of more than 16 KiB", [HELLO, frame(FrameType.data, 0, 1, Buffer.alloc(16_385))], "frame size"],
    ["a block that is interrupted", [HELLO, headers(1, request(), 0), frame(FrameType.ping, 0, 0)], "protocol"],
    ["a block that another stream continues", [HELLO, headers(1, request(), 0), frame(9, 4, 3)], "protocol"],
    ["CONTINUATION without a block", [HELLO, frame(FrameType.continuation, 4, 1)], "protocol"],
    ["HEADERS without a stream", [HELLO, headers(0, request())], "protocol"],
    ["padding larger than its frame", [HELLO, headers(1, Buffer.of(5, 0x82), END | FrameFlag.padded)], "protocol"],
    ["a priority that is cut off", [HELLO, headers(1, Buffer.of(0, 0), END | FrameFlag.priority)], "protocol"],
    ["PUSH_PROMISE", [HELLO, frame(FrameType.pushPromise, 4, 1, Buffer.alloc(4))], "protocol"],
    ["a header block that cannot be decoded", [HELLO, headers(1, Buffer.of(0x80))], "compression"],
  ])("%s", (_name, parts, kind) => {
    expect(createHttp2Guard().inspect(Buffer.concat(parts))?.kind).toBe(kind);
  });

  test("which names the last stream that may have been served", () => {
    const { guard } = begin();
    guard.inspect(Buffer.concat([open(0), open(1)]));
    expect(guard.inspect(headers(5, Buffer.of(0x80)))).toMatchObject({ lastStreamId: 3, code: 0x9 });
    expect(PREFACE.length).toBe(24);
  });
});
