import { existsSync, renameSync } from "node:fs";
import type { RunFiles } from "./run-folder.ts";

/** Renames the results of a run that was undone, so that they stay, and a later import of the same files has its own. */
export function setAside(files: RunFiles): void {
  const undone = new Date().toISOString().replaceAll(/[:.]/g, "-");
  for (const file of [files.report, files.sent, files.updates, files.ids, files.summary]) {
    if (existsSync(file)) renameSync(file, file.replace(/(\.\w+)$/, `-undone-${undone}$1`));
  }
}
