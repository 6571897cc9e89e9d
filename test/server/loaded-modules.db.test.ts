import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { send } from "../support/clients/send.ts";
import { createProcesses, readToken } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const processes = createProcesses();
afterAll(() => processes.close());

/**
 * Prints the packages that are loaded, by `import` or by `require`: when the service announces that it listens, and at
 * the exit.
 */
const WATCH = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({
    load(url, context, next) {
      const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
      if (name) loaded.add(name);
      return next(url, context);
    },
  });
  const { log } = console;
  console.log = (text) => {
    console.error("LOADED AT START " + JSON.stringify([...loaded]));
    log(text);
  };
  process.on("exit", () => console.error("LOADED AT EXIT " + JSON.stringify([...loaded])));`;

/** Packages whose loading would delay the start by 5 to 150 ms each. */
const LATER = [
  "@bufbuild/cel",
  "@connectrpc/connect-node",
  "libphonenumber-js",
  "nodemailer",
  "oidc-provider",
  "openid-client",
];

/** Packages of metrics and traces. */
const isTelemetry = (name: string) => name === "prom-client" || name.startsWith("@opentelemetry/");

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

/** Starts a server, calls it with a trace, and stops it. */
async function serveOnce(name: string, more: Record<string, string> = {}) {
  const watch = join(processes.root, "watch.mjs");
  writeFileSync(watch, WATCH);
  const { variables, tokenFile } = await processes.createInstallation(name);
  const NODE_OPTIONS = `--import=file://${watch}`;
  const server = await processes.serve({ ...variables, ...more, NODE_OPTIONS });
  const headers = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
  const response = await send(server.origin, "GET", "/management/v1/orgs/me", { token: readToken(tokenFile), headers });
  expect(response.status).toBe(200);
  if (more.METRICS_PORT) await until("it serves metrics", () => server.stderr().includes('"serving metrics"'));
  const { code, stderr } = await server.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('"stopped"') });
  const loadedAt = (time: string): string[] =>
    JSON.parse(new RegExp(`^LOADED AT ${time} (.*)$`, "m").exec(stderr)?.[1] ?? "");
  return { atStart: loadedAt("START"), atExit: loadedAt("EXIT"), stderr };
}

test("without endpoints, only packages that the start needs are loaded before the port is open, and none for metrics or traces", async () => {
  const { atStart, atExit, stderr } = await serveOnce("none", { LOG_LEVEL: "debug" });
  expect(atStart).toContain("kysely");
  expect(atStart.filter((name) => LATER.includes(name))).toEqual([]);
  expect(atExit.filter(isTelemetry)).toEqual([]);
  expect(stderr).not.toContain("serving metrics");
  expect(stderr).toMatch(new RegExp(`"trace_id":"${TRACE_ID}".*"msg":"call"`));
});

test("with endpoints for metrics and traces, the packages of both are loaded", async () => {
  const { atExit, stderr } = await serveOnce("both", {
    METRICS_PORT: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
  });
  expect(atExit.filter(isTelemetry)).toEqual(
    expect.arrayContaining(["prom-client", "@opentelemetry/api", "@opentelemetry/sdk-trace"]),
  );
  expect(stderr).toMatch(new RegExp(`"trace_id":"${TRACE_ID}".*"msg":"call"`));
});
