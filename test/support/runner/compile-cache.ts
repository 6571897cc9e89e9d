import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The compile cache of `bin/signet.js`. */
const FOLDER = fileURLToPath(new URL("../../../node_modules/.cache/signet", import.meta.url));

/**
 * Makes this process and all that it starts use the compile cache. If it is empty, as in a new clone, a separate process
 * compiles the modules of the service first. Otherwise each of the processes that tests start until the first one exits
 * compiles them, and writes 1,200 files: `signet serve` takes 3 s of CPU time then, and 0.9 s afterwards.
 */
export async function useCompileCache(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = FOLDER;
  enableCompileCache(FOLDER);
  const folder = getCompileCacheDir();
  if (folder === undefined || readdirSync(folder).length > 0) return;
  const script = fileURLToPath(new URL("./load-modules.ts", import.meta.url));
  // The cache depends on the flags.
  await promisify(execFile)(process.execPath, [...process.execArgv, script]);
}
