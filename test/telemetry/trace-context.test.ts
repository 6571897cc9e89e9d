import { readTraceContext } from "../../src/telemetry/trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("traceparent", () => {
  test.each([
    ["sampled", `00-${TRACE}-${SPAN}-01`, true],
    ["not sampled", `00-${TRACE}-${SPAN}-00`, false],
    ["with flags of level 2", `00-${TRACE}-${SPAN}-03`, true],
    ["of a later version", `cc-${TRACE}-${SPAN}-01`, true],
    ["of a later version with more fields", `cc-${TRACE}-${SPAN}-01-what-is-new`, true],
    ["between white space", ` 00-${TRACE}-${SPAN}-01 `, true],
  ])("%s continues the trace", (_what, traceparent, isSampled) => {
    expect(readTraceContext({ traceparent })).toEqual({ traceId: TRACE, spanId: SPAN, isSampled, state: undefined });
  });

  test.each([
    ["missing", undefined],
    ["empty", ""],
    ["of version ff", `ff-${TRACE}-${SPAN}-01`],
    ["with more fields in version 00", `00-${TRACE}-${SPAN}-01-extra`],
    ["with a trace id of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["with a span id of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["with a short trace id", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["with a long span id", `00-${TRACE}-${SPAN}0-01`],
    ["in upper case", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["without flags", `00-${TRACE}-${SPAN}`],
    ["with flags that are no number", `00-${TRACE}-${SPAN}-zz`],
    ["given twice", `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ["with a line break", `00-${TRACE}-${SPAN}-01\n${TRACE}`],
  ])("%s starts a new trace", (_what, traceparent) => {
    expect(readTraceContext({ traceparent })).toBeUndefined();
  });
});

test("tracestate is propagated unchanged, but not without traceparent", () => {
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  expect(readTraceContext({ traceparent, tracestate: "a=1,b=2" })?.state).toBe("a=1,b=2");
  expect(readTraceContext({ traceparent, tracestate: "" })?.state).toBeUndefined();
  expect(readTraceContext({ tracestate: "a=1" })).toBeUndefined();
});
