import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { createProcesses, readToken } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const SIGNET = fileURLToPath(new URL("../../bin/signet.js", import.meta.url));
/**
 * Makes every file system except the folder in $1 read-only in a separate mount namespace, like `docker run
 * --read-only`. Then executes the remaining arguments.
 */
const READ_ONLY = `
  set -e
  mount --make-rprivate /
  [ -z "$1" ] || mount --bind "$1" "$1"
  while read -r _ _ _ _ point _; do
    case $point in
      /dev/shm) ;;
      /proc* | /sys* | /dev* | "$1") continue ;;
    esac
    mount -o remount,bind,ro "$point"
  done </proc/self/mountinfo
  if touch "$HOME/file" 2>/dev/null || touch "$TMPDIR/file" 2>/dev/null; then exit 99; fi
  shift
  exec "$@"`;

const processes = createProcesses();
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await processes.close();
});

const canMount = (() => {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
})();
const testAsRoot = (title: string, run: () => Promise<void>) =>
  canMount ? test(title, run) : test.skip(`${title} (skipped: requires root and unshare)`, run);

/** Starts the service with every file system except `writable` read-only. */
async function serveReadOnly(variables: Record<string, string>, writable: string, options: string[] = []) {
  const command = [process.execPath, SIGNET, "serve", ...options];
  const child = spawn("unshare", ["--mount", "bash", "-c", READ_ONLY, "bash", writable, ...command], {
    cwd: processes.root,
    env: {
      ...{ PATH: process.env.PATH, PORT: "0", HOME: processes.root, TMPDIR: processes.root },
      // On a busy machine, a hash of the default cost can take longer than a call may.
      BCRYPT_COST: "4",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => {
    stdout += text;
  });
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await until("the service listens", () => {
    if (child.exitCode !== null) throw new Error(`the service ended: ${stderr}`);
    return stdout.includes("Try it");
  });
  const [, origin = ""] = /^ {2}API +(\S+)$/m.exec(stdout) ?? [];
  return {
    origin,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

testAsRoot("on PostgreSQL, the service writes nothing but the first token", async () => {
  const { variables, dataDir, tokenFile } = await processes.createInstallation("data");
  mkdirSync(dataDir);
  const first = await serveReadOnly(variables, dataDir);
  expect(await first.stop()).toBe(0);

  const missing = { ...variables, DATA_DIR: join(processes.root, "missing") };
  const service = await serveReadOnly(missing, "", ["--workers", "2"]);
  await until("the service is ready", async () => (await send(service.origin, "GET", "/readyz")).status === 200);
  const call = { token: readToken(tokenFile), body: { ...human("ada"), password: "analytical engine" } };
  expect(await send(service.origin, "POST", IMPORT_PATH, call)).toMatchObject({ status: 200 });
  expect(await send(service.origin, "GET", "/docs/guide")).toMatchObject({ status: 200 });
  expect(await service.stop()).toBe(0);
});

testAsRoot("with the embedded database, the service writes only to DATA_DIR", async () => {
  const { variables, dataDir } = await processes.createInstallation("embedded", "embedded");
  const service = await serveReadOnly(variables, dataDir);
  const call = {
    token: readToken(join(dataDir, "admin.token")),
    body: { ...human("ada"), email: { email: "a@b.example" } },
  };
  expect(await send(service.origin, "POST", IMPORT_PATH, call)).toMatchObject({ status: 200 });
  expect(await service.stop()).toBe(0);
});
