import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cloneUser } from "./clone-user.ts";
import { importMany } from "./import-many.ts";
import { createDatabase, initialize, startServer } from "./postgres-server.ts";
import { checkSecret, checkService, onPostgres, startTried } from "./restored-service.ts";
import type { Figures, Setting } from "./scenario.ts";

const LONGEST_MS = 3_600_000;

/** The embedded database is copied to PostgreSQL. */
export async function moveToPostgres(setting: Setting): Promise<Figures> {
  const { processes, programs, owner, folder } = setting;
  const data = join(folder, "moved");
  initialize(programs, data, owner);
  const target = await startServer(programs, data, owner);
  try {
    const url = await createDatabase(target);
    const dataDir = join(processes.root, "trial");
    const tried = await startTried(processes, { DATA_DIR: dataDir });
    await importMany(tried, 2);
    await tried.server.stop();
    await cloneUser(dataDir, "user-1", setting.users - 2);

    const copying = processes.spawn(["database", "copy", "--to", url, "--json"], { DATA_DIR: dataDir });
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, readPeak(copying.child.pid ?? 0));
    }, 100);
    const timer = setTimeout(() => copying.child.kill(), LONGEST_MS);
    const since = performance.now();
    const { code, stdout, stderr } = await copying.ended;
    const seconds = (performance.now() - since) / 1_000;
    clearInterval(watch);
    clearTimeout(timer);
    if (code !== 0) throw new Error(`the copy ended with ${code}: ${stderr}`);
    const { rows } = JSON.parse(stdout) as { rows: number };

    const masterKey = Buffer.from(readFileSync(join(dataDir, "master.key"), "utf8"), "base64");
    await checkService(processes, onPostgres(url, masterKey, join(processes.root, "moved")), tried, ["ada"]);
    await checkSecret(url, masterKey, tried);
    return {
      users: String(setting.users),
      rows: String(rows),
      duration: `${seconds.toFixed(1)} s`,
      "rows per second": (rows / seconds).toFixed(0),
      "peak memory of the command": `${(peak / 1_048_576).toFixed(0)} MB`,
    };
  } finally {
    await target.stop();
  }
}

/** The peak resident memory of a process in bytes; 0 if it has ended, or if there is no /proc. */
function readPeak(pid: number): number {
  try {
    return 1_024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
