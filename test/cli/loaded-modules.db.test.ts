import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { createProcesses, until } from "../support/process.ts";

const processes = createProcesses();
afterAll(() => processes.close());

/**
 * Prints the packages that are loaded when the service announces that it listens, and `undici` if Node has loaded it.
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
    if (process.moduleLoadList.some((name) => name.endsWith("undici/undici"))) loaded.add("undici");
    console.error("LOADED " + JSON.stringify([...loaded]));
    log(text);
  };`;

/** Packages, and Node's HTTP client, whose loading would delay the start by 5 to 150 ms each. */
const LATER = [
  "undici",
  "@bufbuild/cel",
  "@connectrpc/connect-node",
  "libphonenumber-js",
  "nodemailer",
  "oidc-provider",
  "openid-client",
];

test("before the port is open, packages that only requests need are not loaded", async () => {
  const watch = join(processes.root, "watch.mjs");
  writeFileSync(watch, WATCH);
  const { variables } = await processes.createInstallation("loaded");
  const server = await processes.serve({
    ...variables,
    LOG_LEVEL: "debug",
    NODE_OPTIONS: `--import=file://${watch}`,
  });
  const line = await until("it prints them", () => /^LOADED (.*)$/m.exec(server.stderr())?.[1]);
  const loaded: string[] = JSON.parse(line);
  expect(loaded).toContain("kysely");
  expect(loaded.filter((name) => LATER.includes(name))).toEqual([]);
  expect(await server.stop()).toMatchObject({ code: 0, stderr: expect.stringContaining('"stopped"') });
});
