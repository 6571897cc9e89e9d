import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createProcesses, type Processes, readToken, send } from "../support/process.ts";

let processes: Processes;
beforeAll(() => {
  processes = createProcesses();
});
afterAll(() => processes.close());

/** Prints each module of OpenTelemetry that is loaded, by `import` or by `require`. */
const WATCH = `
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      if (url.includes("/@opentelemetry/")) console.error("LOADED " + url);
      return next(url, context);
    },
  });`;

test.each([
  ["no endpoint", {}, false],
  ["an endpoint", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }, true],
])("with %s, modules of OpenTelemetry are loaded: %#", async (_what, variables, isLoaded) => {
  const watch = join(processes.root, "watch.mjs");
  writeFileSync(watch, WATCH);
  const { variables: own, tokenFile } = await processes.createInstallation(`loaded-${isLoaded}`);
  const server = await processes.serve({ ...own, ...variables, NODE_OPTIONS: `--import=file://${watch}` });
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const response = await send(server.origin, "GET", "/management/v1/orgs/me", { token: readToken(tokenFile), headers });
  expect(response.status).toBe(200);
  const { stderr } = await server.stop();
  expect(/LOADED .*@opentelemetry/.test(stderr)).toBe(isLoaded);
  // The trace's id is in the log either way.
  expect(stderr).toMatch(new RegExp(`"trace_id":"${traceId}".*"msg":"call"`));
});
