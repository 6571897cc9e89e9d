import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runScript } from "../foreign/run-script.ts";

const cwd = mkdtempSync(join(tmpdir(), "signet-script-"));
afterAll(() => rmSync(cwd, { recursive: true }));

// The standard output of a process that is left would stay open.
test.each([
  { title: "after its end", script: "sleep 1000 &", timeoutMs: 300_000, status: 0 },
  { title: "after the timeout", script: "sleep 1000 | cat", timeoutMs: 100, status: null },
])("kills the processes that a script has started, $title", async ({ script, timeoutMs, status }) => {
  const file = join(cwd, "run.sh");
  writeFileSync(file, script);
  const result = await runScript(file, { cwd, env: process.env, timeoutMs });
  expect(result).toEqual({ status, stdout: "", stderr: "" });
});
