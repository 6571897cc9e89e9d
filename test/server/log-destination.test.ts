import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Runs code in another process, with `log` on its standard error. */
function run(code: string, file = "2"): Child {
  const path = new URL("../../src/server/log-destination.ts", import.meta.url).href;
  const setup = `import { openSync } from "node:fs";
    import { logDestinationOf } from ${JSON.stringify(path)};
    const log = logDestinationOf(${file});
    const writeLines = (count) => { for (let n = 1; n <= count; n++) log.write("line " + n + "\\n"); };`;
  const args = ["--expose-gc", "--input-type=module", "-e", setup + code];
  return spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
}

async function exitCodeOf(child: Child): Promise<number | null> {
  const [code] = await once(child, "exit");
  return code;
}

describe("all lines are written", () => {
  test.each([
    ["when the process has nothing left to do", "writeLines(20_000);", 0],
    ["when it exits", "writeLines(20_000); process.exit(3);", 3],
    ["when an exception ends it", "writeLines(20_000); throw new Error('unexpected');", 1],
  ])("%s", async (_when, code, expected) => {
    const child = run(code);
    const exit = exitCodeOf(child);
    const lines = (await text(child.stderr)).split("\n").filter((line) => line.startsWith("line "));
    expect(await exit).toBe(expected);
    const numbers = lines.map((line) => Number(line.slice("line ".length)));
    // Only an early exit may change their order.
    if (expected !== 0) numbers.sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
  });
});

test("a line is written while the process waits", async () => {
  const child = run(`log.write("a line\\n"); process.stdin.resume();`);
  const [chunk] = await once(child.stderr, "data");
  expect(String(chunk)).toBe("a line\n");
  child.kill();
});

describe("a log that cannot be written does not keep the process from working or ending", () => {
  test.each([
    ["its reader is gone, before the exit", "writeLines(10_000); setTimeout(() => process.exit(5), 500);"],
    ["its reader is gone, at the exit", "log.write('a line\\n'); process.exit(5);"],
  ])("%s", async (_when, code) => {
    const child = run(`process.stdin.resume().on("end", () => { ${code} });`);
    child.stderr.destroy();
    await once(child.stderr, "close");
    child.stdin.end();
    expect(await exitCodeOf(child)).toBe(5);
  });

  test("it cannot be written at all", async () => {
    const child = run("writeLines(10_000); setTimeout(() => process.exit(6), 500);", `openSync("/", "r")`);
    expect(await exitCodeOf(child)).toBe(6);
  });

  test("its reader does not read", async () => {
    // Each line has 64 KiB: together 256 MiB.
    const child = run(`
      for (let n = 0; n < 4_096; n++) log.write("x".repeat(65_535) + "\\n");
      setTimeout(() => {
        gc();
        const { external, heapUsed } = process.memoryUsage();
        console.log(external + heapUsed);
      }, 300);`);
    const [bytes] = await once(child.stdout, "data");
    expect(Number(bytes)).toBeLessThan(64 * 2 ** 20);
    child.stderr.resume();
    expect(await exitCodeOf(child)).toBe(0);
  });
});
