import { type Clock, install } from "@sinonjs/fake-timers";
import { type Logger, pino } from "pino";
import { SignetError } from "../src/errors.ts";
import { logFailure } from "../src/log-failure.ts";

let clock: Clock;
let lines: Record<string, unknown>[];
let log: Logger;
beforeEach(() => {
  clock = install();
  lines = [];
  log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
});
afterEach(() => {
  clock.uninstall();
});

const refused = () => Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });

describe("failures of one kind", () => {
  test("have one line with the stack, and then one line per second with their number", () => {
    for (let call = 0; call < 5_000; call += 1) {
      logFailure(log, "error", { requestId: `r-${call}`, err: refused() }, "out of reach");
    }
    expect(lines).toEqual([
      {
        level: 50,
        msg: "out of reach",
        requestId: "r-0",
        err: expect.objectContaining({ code: "ECONNREFUSED", stack: expect.stringContaining("log-failure.test.ts") }),
      },
    ]);
    clock.tick(1_000);
    for (let call = 5_000; call < 5_010; call += 1) {
      logFailure(log, "error", { requestId: `r-${call}`, err: refused() }, "out of reach");
    }
    clock.tick(1_000);
    const failure = "Error ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:5432";
    expect(lines.slice(1)).toEqual([
      { level: 50, msg: "out of reach", requestId: "r-4999", repeated: 4_999, failure },
      { level: 50, msg: "out of reach", requestId: "r-5009", repeated: 10, failure },
    ]);
  });

  test("are logged with their stack again after a second without one", () => {
    logFailure(log, "warn", { err: refused() }, "out of reach");
    clock.tick(1_000);
    logFailure(log, "warn", { err: refused() }, "out of reach");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({ level: 40, err: { stack: expect.any(String) } });
    clock.tick(60_000);
    expect(lines).toHaveLength(2);
    expect(clock.countTimers()).toBe(0);
  });
});

test.each([
  ["message", ["error", refused(), "another message"]],
  ["level", ["warn", refused(), "out of reach"]],
  ["error", ["error", new Error("SQLSTATE 53100"), "out of reach"]],
  ["cause", ["error", new SignetError("UNAVAILABLE", "x", { cause: refused() }), "out of reach"]],
  ["thrown value", ["error", "text", "out of reach"]],
] as const)("failures with another %s are of another kind", (_what, [level, err, message]) => {
  logFailure(log, "error", { err: refused() }, "out of reach");
  logFailure(log, "error", { err: new SignetError("UNAVAILABLE", "x", { cause: new Error("y") }) }, "out of reach");
  logFailure(log, level, { err }, message);
  expect(lines).toHaveLength(3);
});

test("two loggers do not share their failures", () => {
  const other = log.child({});
  for (const logger of [log, other]) logFailure(logger, "error", { err: refused() }, "out of reach");
  expect(lines).toHaveLength(2);
});

test("more kinds than a hundred in a second share lines", () => {
  for (let kind = 0; kind < 5_000; kind += 1) logFailure(log, "error", { err: new Error(`kind ${kind}`) }, "failed");
  expect(lines).toHaveLength(101);
  clock.tick(1_000);
  expect(lines.slice(101)).toEqual([expect.objectContaining({ repeated: 4_899 })]);
});
