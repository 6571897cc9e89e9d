import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockDataDir, lockHolder } from "../../src/database/data-lock.ts";

let root: string;
let dataDir: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "signet-lock-"));
  dataDir = join(root, "data");
});

afterEach(() => {
  child?.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

/** Another process that takes the lock, reports the result, and runs until it is killed. */
async function inAnotherProcess(): Promise<string> {
  const module = new URL("../../src/database/data-lock.ts", import.meta.url);
  const script = `
    import { lockDataDir } from ${JSON.stringify(module.href)};
    globalThis.lock = lockDataDir(process.argv[1]);
    process.stdout.write(globalThis.lock ? "locked" : "refused");
    setInterval(() => {}, 1000);`;
  child = spawn(process.execPath, ["--input-type=module", "--eval", script, dataDir], { env: {} });
  let warnings = "";
  child.stderr?.on("data", (text) => {
    warnings += text;
  });
  if (!child.stdout) throw new Error("no output");
  const [said] = await Promise.race([once(child.stdout, "data"), once(child, "exit").then(() => [warnings])]);
  return `${said}${warnings}`;
}

test("rejects a second process while the first one runs, and names it", async () => {
  expect(await inAnotherProcess()).toBe("locked");
  expect(lockDataDir(dataDir)).toBeUndefined();
  expect(lockHolder(dataDir)).toBe(child?.pid);
});

test("is free again after its holder was killed", async () => {
  expect(await inAnotherProcess()).toBe("locked");
  const gone = child && once(child, "exit");
  child?.kill("SIGKILL");
  await gone;
  const lock = lockDataDir(dataDir);
  expect(lock).toBeDefined();
  expect(lockHolder(dataDir)).toBe(process.pid);
  lock?.release();
});

test("rejects a second lock by the same process, without weakening the first", async () => {
  const lock = lockDataDir(dataDir);
  expect(lock).toBeDefined();
  expect(lockDataDir(dataDir)).toBeUndefined();
  expect(await inAnotherProcess()).toBe("refused");
  lock?.release();
});

test("can be released and taken again", async () => {
  const lock = lockDataDir(dataDir);
  lock?.release();
  lock?.release();
  expect(lockHolder(dataDir)).toBeUndefined();
  expect(await inAnotherProcess()).toBe("locked");
});

/** The modes of the files in the data folder, by name. */
const modes = () =>
  Object.fromEntries(readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]));

test("creates the folder and its files with access only for their owner", () => {
  const lock = lockDataDir(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(modes()).toEqual({ lock: 0o600, "lock-journal": 0o600, pid: 0o600 });
  lock?.release();
});

test("restricts files that others can read", () => {
  mkdirSync(dataDir);
  for (const name of ["lock", "pid"]) writeFileSync(join(dataDir, name), "", { mode: 0o644 });
  const lock = lockDataDir(dataDir);
  expect(modes()).toEqual({ lock: 0o600, "lock-journal": 0o600, pid: 0o600 });
  lock?.release();
});
