import { createProcesses, type TestServer, withClockAhead } from "../support/servers/process.ts";
import { parseMetrics } from "../support/telemetry/prometheus.ts";
import { until } from "../support/until.ts";

const processes = createProcesses();
afterAll(() => processes.close());

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly port?: number;
  readonly offsetSeconds?: number;
}

/** The lines so far. The last one may be incomplete. */
const linesOf = (server: TestServer): Line[] =>
  server
    .stderr()
    .split("\n")
    .slice(0, -1)
    .filter((text) => text.startsWith("{"))
    .map((text) => JSON.parse(text));

/** The clock's difference in the metrics, and its lines in the log. */
async function start(aheadMs: number, name: string) {
  const { variables } = await processes.createInstallation(name);
  const server = await processes.serve({ ...variables, ...withClockAhead(aheadMs), METRICS_PORT: "0" });
  const { port } = await until("the metrics are served", () =>
    linesOf(server).find(({ msg }) => msg === "serving metrics"),
  );
  const offset = await until("the clock is measured", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    return parseMetrics(await response.text()).get("signet_clock_offset_seconds");
  });
  // A process writes its last lines before it ends.
  await server.stop();
  return { offset, lines: linesOf(server).filter(({ msg }) => msg.startsWith("the clock")) };
}

// A busy machine can delay the query, but not by ten minutes.
test.each([
  ["ahead of", 3_600_000],
  ["behind", -3_600_000],
])("a clock that is %s the database's is a warning in the log, and in the metrics", async (direction, aheadMs) => {
  const { offset, lines } = await start(aheadMs, direction.split(" ")[0] ?? "");
  expect(Math.abs(offset - aheadMs / 1_000)).toBeLessThan(600);
  const msg = `the clock is ${direction} that of the database: synchronize both`;
  expect(lines).toMatchObject([{ level: 40, msg }]);
  expect(Math.abs((lines[0]?.offsetSeconds ?? 0) - aheadMs / 1_000)).toBeLessThan(600);
});

test("a clock that is a few seconds off is only in the metrics", async () => {
  const { offset, lines } = await start(5_000, "near");
  expect(offset).toBeGreaterThan(0);
  expect(lines).toEqual([]);
});
