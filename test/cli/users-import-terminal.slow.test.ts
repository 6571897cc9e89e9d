import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createProcesses, type Installation, type TestServer } from "../support/servers/process.ts";
import { describeInTerminal, runInTerminal, type Terminal } from "../support/terminals/terminal.ts";
import { until } from "../support/until.ts";

const SIGNET = fileURLToPath(new URL("../../bin/signet.js", import.meta.url));
const HASH = "$2a$04$zVHmKQtGGQob.b/Nc7l9NO8UlrYcW05FiuCj/SxsFO/ZtiN9.mNzy";
/** A drawn bar: what is done, the rate, the refused users and the remaining time. */
const BAR = /\r(\[(█*) *\] ([\d,]+) of ([\d,]+), [\d,]+\/s, 1 refused, (?:\d+ min )?\d+ s left)<erase>/;

/** The output with a name for the sequence that erases the rest of the line. */
const outputOf = (terminal: Terminal) => terminal.output().replaceAll("\x1b[K", "<erase>");

describeInTerminal("`signet users import` in a terminal", () => {
  const processes = createProcesses();
  const terminals: Terminal[] = [];
  let installation: Installation;
  let server: TestServer;

  beforeAll(async () => {
    installation = await processes.createInstallation("users-import-terminal");
    server = await processes.serve(installation.variables);
  });
  afterAll(async () => {
    for (const terminal of terminals) terminal.kill();
    await processes.close();
  });

  /** Imports users, of whom the first has no name, into a new organization. */
  async function startImport(name: string, count: number, answer = "y"): Promise<Terminal> {
    await processes.runHere(["org", "create", name], installation.variables);
    const folder = join(processes.root, name);
    mkdirSync(folder);
    const lines = Array.from({ length: count }, (_, n) =>
      JSON.stringify({
        ...{ id: `${name}-${n}`, userName: `${name}-${n}`, firstName: n === 0 ? "" : "Ada", lastName: "Lovelace" },
        ...{ email: `${name}-${n}@example.com`, emailVerified: true, passwordHash: HASH },
      }),
    );
    writeFileSync(join(folder, "users.ndjson"), lines.join("\n"));
    return run(["import", "users.ndjson", "--from", "signet", "--concurrency", "4", "--org", name], folder, answer);
  }

  function run(args: readonly string[], cwd: string, answer: string): Terminal {
    const target = ["--url", server.origin, "--token-file", installation.tokenFile];
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    const terminal = runInTerminal([process.execPath, SIGNET, "users", ...args, ...target], { cwd, env, answer });
    terminals.push(terminal);
    return terminal;
  }

  test("asks after the preview, shows a bar, and removes it in the end", async () => {
    const terminal = await startImport("bar", 1_000);
    expect(await terminal.ended).toBe(1);
    const output = outputOf(terminal);
    expect(output).toContain("Import 999 users into http://localhost:");
    const bars = [...output.matchAll(new RegExp(BAR, "g"))].map(([, bar = "", filled = "", done = "", total]) => {
      // A longer line would wrap, and leave a part of itself behind.
      expect(bar.length).toBeLessThan(80);
      expect(total).toBe("1,000");
      const count = Number(done.replace(",", ""));
      expect(filled).toHaveLength(Math.floor((count * 24) / 1_000));
      return count;
    });
    expect(bars.length).toBeGreaterThan(0);
    expect(bars).toEqual(bars.toSorted((one, other) => one - other));
    expect(output).not.toMatch(/^\d+ %: /m);
    expect(output).toMatch(/\r<erase>complete: 999 users imported in/);
  });

  test("imports nothing after another answer than yes", async () => {
    const terminal = await startImport("no", 2, "n");
    expect(await terminal.ended).toBe(2);
    expect(terminal.output()).toContain("nothing was changed");
  });

  test("Ctrl-C at the question ends an import and an undo with 130, and changes nothing", async () => {
    const unanswered = await startImport("unanswered", 2, "\x03");
    expect(await unanswered.ended).toBe(130);
    expect(unanswered.output()).toContain("stopped: 0 users imported so far");

    const imported = await startImport("imported", 3);
    await imported.ended;
    const [, name = ""] = /signet users undo (\S+)/.exec(imported.output()) ?? [];
    const undo = run(["undo", name], join(processes.root, "imported"), "\x03");
    expect(await undo.ended).toBe(130);
    expect(undo.output()).toMatch(
      /Remove 2 users, and erase their data\? \[y\/N\] .*\r\nremoved 0 users\r\nrun the same command/,
    );
  });

  test("Ctrl-C removes the bar, and ends with 130 and the number of users so far", async () => {
    const terminal = await startImport("interrupted", 8_000);
    await until("there is a bar", () => BAR.test(outputOf(terminal)));
    terminal.type("\x03");
    expect(await terminal.ended).toBe(130);
    expect(outputOf(terminal)).toMatch(/\r<erase>stopped: [\d,]+ users imported so far in/);
    expect(terminal.output()).toContain("run the same command again to continue");
  });
});
