import { type Clock, install } from "@sinonjs/fake-timers";
import { createQueryLimiter, type Lane, type Leave, type QueryLimiter } from "../../src/database/query-limiter.ts";

const CONNECTIONS = 16;
const MAX_PAGES = 4;
const BUSY = { reason: "UNAVAILABLE", retryAfterMs: 1_000 };

let clock: Clock;
let limiter: QueryLimiter;
beforeEach(() => {
  clock = install();
  limiter = createQueryLimiter(CONNECTIONS);
});
afterEach(() => {
  clock.uninstall();
});

/** A request for a connection, and its outcome. */
interface Asked {
  state: "waiting" | "running" | "refused";
  error: unknown;
  leave: Leave;
}

function ask(lane: Lane, caller?: { throwIfOver(): void }): Asked {
  const asked: Asked = { state: "waiting", error: undefined, leave: () => {} };
  limiter.enter(lane, caller).then(
    (leave) => Object.assign(asked, { state: "running", leave }),
    (error) => Object.assign(asked, { state: "refused", error }),
  );
  return asked;
}

const askTimes = (count: number, lane: Lane) => Array.from({ length: count }, () => ask(lane));
const countOf = (all: readonly Asked[], state: Asked["state"]) => all.filter((one) => one.state === state).length;
const settle = () => clock.tickAsync(0);

describe("the pages", () => {
  test("use a quarter of the connections, lists another one, and calls use all others", async () => {
    const pages = askTimes(CONNECTIONS, "pages");
    const lists = askTimes(CONNECTIONS, "lists");
    const calls = askTimes(CONNECTIONS, "calls");
    await settle();
    const running = [pages, lists, calls].map((asked) => countOf(asked, "running"));
    expect(running).toEqual([MAX_PAGES, MAX_PAGES, CONNECTIONS - 2 * MAX_PAGES]);
  });

  test("get one connection if there are fewer than four", async () => {
    limiter = createQueryLimiter(1);
    const [page, call] = [ask("pages"), ask("calls")];
    await settle();
    expect([page.state, call.state]).toEqual(["running", "waiting"]);
  });

  test("alternate with the calls for a shared connection", async () => {
    limiter = createQueryLimiter(1);
    const first = ask("calls");
    await settle();
    const pages = askTimes(3, "pages");
    const calls = askTimes(3, "calls");
    const order: string[] = [];
    let running = first;
    for (let served = 0; served < 6; served += 1) {
      running.leave();
      running.state = "refused";
      await settle();
      running = [...pages, ...calls].find(({ state }) => state === "running") ?? first;
      order.push(pages.includes(running) ? "page" : "call");
    }
    expect(order.join(" ")).toMatch(/^(page call page call page call|call page call page call page)$/);
  });

  test("have a separate short queue, which can be full while the queue of calls is not", async () => {
    const pages = askTimes(MAX_PAGES * 65 + 500, "pages");
    const calls = askTimes(500, "calls");
    await settle();
    expect([countOf(pages, "waiting"), countOf(pages, "refused")]).toEqual([MAX_PAGES * 64, 500]);
    expect(countOf(calls, "refused")).toBe(0);
    expect(pages.at(-1)?.error).toMatchObject(BUSY);
  });
});

describe("the queue of the calls", () => {
  test("is first in, first out", async () => {
    const running = askTimes(CONNECTIONS, "calls");
    const waiting = askTimes(3, "calls");
    await settle();
    running[0]?.leave();
    await settle();
    expect(waiting.map(({ state }) => state)).toEqual(["running", "waiting", "waiting"]);
  });

  test("holds 64 per connection and rejects more immediately", async () => {
    const calls = askTimes(CONNECTIONS * 65 + 1, "calls");
    await settle();
    expect([countOf(calls, "waiting"), countOf(calls, "refused")]).toEqual([CONNECTIONS * 64, 1]);
    expect(calls.at(-1)?.error).toMatchObject(BUSY);
  });

  test("rejects immediately if the wait would exceed five seconds, and waits otherwise", async () => {
    // Each connection is used for 400 ms, so one becomes free every 25 ms.
    const calls = askTimes(CONNECTIONS + 150, "calls");
    for (let round = 0; round < 40; round += 1) {
      await clock.tickAsync(400);
      for (const call of calls.filter(({ state }) => state === "running")) {
        call.state = "refused";
        call.leave();
        calls.push(ask("calls"));
      }
    }
    await settle();
    const late = askTimes(500, "calls");
    await settle();
    // 200 fit into five seconds, and 150 are already waiting. The average is uneven because 16 become free at the same
    // time.
    expect(countOf(late, "waiting")).toBeGreaterThan(20);
    expect(countOf(late, "waiting")).toBeLessThan(300);
    expect(late.at(-1)).toMatchObject({ state: "refused", error: BUSY });
  });

  test("does not treat all statements as slow because of one slow statement", async () => {
    const [slow] = askTimes(CONNECTIONS, "calls");
    await clock.tickAsync(60_000);
    slow?.leave();
    const calls = askTimes(500, "calls");
    await settle();
    expect(countOf(calls, "refused")).toBe(0);
  });

  test("rejects new queries if no connection has become free for two seconds, and ends a wait after five", async () => {
    askTimes(CONNECTIONS, "calls");
    const early = ask("calls");
    await clock.tickAsync(1_000);
    const late = ask("calls");
    await clock.tickAsync(1_050);
    expect([early.state, late.state]).toEqual(["waiting", "waiting"]);
    const tooLate = ask("calls");
    await settle();
    expect(tooLate).toMatchObject({ state: "refused", error: BUSY });
    await clock.tickAsync(2_900);
    expect([early.state, late.state]).toEqual(["waiting", "waiting"]);
    await clock.tickAsync(1_200);
    expect([early.state, late.state]).toEqual(["refused", "refused"]);
  });

  test("makes a burst wait after a pause of any length", async () => {
    for (const one of askTimes(1, "calls")) await settle().then(() => one.leave());
    await clock.tickAsync(600_000);
    const calls = askTimes(CONNECTIONS + 500, "calls");
    await settle();
    expect(countOf(calls, "refused")).toBe(0);
  });

  test("drops a disconnected caller without giving it a connection", async () => {
    const over = new Error("the call is over");
    const callers = Array.from({ length: 3 }, () => {
      const caller = { isOver: false, throwIfOver: () => {} };
      caller.throwIfOver = () => {
        if (caller.isOver) throw over;
      };
      return caller;
    });
    const running = askTimes(CONNECTIONS, "calls");
    const waiting = callers.map((caller) => ask("calls", caller));
    await settle();
    for (const caller of callers.slice(0, 2)) caller.isOver = true;
    running[0]?.leave();
    await settle();
    expect(waiting).toMatchObject([
      { state: "refused", error: over },
      { state: "refused", error: over },
      { state: "running" },
    ]);
    const gone = ask("calls", callers[0]);
    await settle();
    expect(gone).toMatchObject({ state: "refused", error: over });
  });

  test("drops disconnected callers even if no connection becomes free", async () => {
    let isOver = false;
    askTimes(CONNECTIONS, "calls");
    const asked = ask("calls", {
      throwIfOver() {
        if (isOver) throw new Error("the call is over");
      },
    });
    await settle();
    isOver = true;
    await clock.tickAsync(100);
    expect(asked.state).toBe("refused");
  });
});

describe("under a sustained flood", () => {
  const USE_MS = 50;
  /** Callers that arrive for each one that can be served. */
  const OVERLOAD = 4;

  test.each([400, 1_000, 3_000])("callers that wait for %d ms at most are served in time", async (deadlineMs) => {
    let [rounds, served, inTime] = [0, 0, 0];
    const running: { readonly since: number; readonly leave: Leave }[] = [];
    const arrive = () => {
      const since = performance.now();
      const throwIfOver = () => {
        if (performance.now() - since > deadlineMs) throw new Error("the call is over");
      };
      limiter.enter("calls", { throwIfOver }).then(
        (leave) => running.push({ since, leave }),
        () => {},
      );
    };
    for (let passed = 0; passed < 20_000; passed += USE_MS) {
      for (let one = 0; one < CONNECTIONS * OVERLOAD; one += 1) arrive();
      await clock.tickAsync(USE_MS);
      const ending = running.splice(0);
      for (const { since, leave } of ending) {
        leave();
        if (passed < 8_000) continue;
        served += 1;
        if (performance.now() - since <= deadlineMs) inTime += 1;
      }
      if (passed >= 8_000) rounds += 1;
      await settle();
    }
    expect(served).toBe(rounds * CONNECTIONS);
    expect(inTime / served).toBeGreaterThan(0.9);
  });
});
