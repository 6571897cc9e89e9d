import { rmSync } from "node:fs";
import { join } from "node:path";
import { runDocumented } from "./documented-commands.ts";
import { importMany } from "./import-many.ts";
import { checkRefusal, checkService, startTried } from "./restored-service.ts";
import { environmentOf, type Figures, type Setting, time } from "./scenario.ts";

/** The folder of the embedded database is restored to another location. */
export async function restoreFolder(setting: Setting): Promise<Figures> {
  const { processes } = setting;
  const [dataDir, newDataDir] = [join(processes.root, "embedded"), join(processes.root, "embedded-restored")];
  const tried = await startTried(processes, { DATA_DIR: dataDir });
  await importMany(tried, setting.users);
  await tried.server.stop();
  const env = environmentOf(setting, { DATA_DIR: dataDir, NEW_DATA_DIR: newDataDir, BACKUPS: processes.root });
  const options = { env, as: undefined, cwd: processes.root };
  const backup = await time(() => runDocumented("Back up the folder", options));
  rmSync(dataDir, { recursive: true });
  const restore = await time(() => runDocumented("Restore the folder", options));
  await checkService(processes, { DATA_DIR: newDataDir }, tried, ["ada"]);
  rmSync(join(newDataDir, "master.key"));
  await checkRefusal(processes, { DATA_DIR: newDataDir }, /^signet: MASTER_KEY_PREVIOUS is incomplete: .*\n$/);
  return { users: String(setting.users), backup: backup.seconds, restore: restore.seconds };
}
