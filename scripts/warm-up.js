/**
 * Starts the service once, with an empty embedded database, and stops it, so that Node's compile cache contains all
 * modules. The image runs this when it is built: a container starts in less than half the time, even with a read-only
 * file system.
 *
 * `node scripts/warm-up.js`, as the user that will run the service: the cache of one user is not used for another.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "signet-warm-up-"));
const signet = new URL("../bin/signet.js", import.meta.url).pathname;
const child = spawn(process.execPath, [signet, "serve"], {
  env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", DATA_DIR: folder, LOG_LEVEL: "debug" },
  cwd: folder,
  stdio: ["ignore", "ignore", "pipe"],
});
child.stderr.on("data", (text) => {
  // The last modules are loaded after the service starts listening.
  if (text.includes('"warmed up"')) child.kill("SIGTERM");
  process.stderr.write(text);
});
child.once("exit", (code) => {
  rmSync(folder, { recursive: true });
  if (code !== 0) console.error(`the service ended with exit code ${code}`);
  process.exitCode = code ?? 1;
});
