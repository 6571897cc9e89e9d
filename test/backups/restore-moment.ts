import { randomBytes } from "node:crypto";
import { appendFileSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { send } from "../support/clients/send.ts";
import { withClockAhead } from "../support/servers/process.ts";
import { runDocumented } from "./documented-commands.ts";
import { importMany } from "./import-many.ts";
import { createDatabase, initialize, startServer, urlOf } from "./postgres-server.ts";
import { checkSecret, checkService, onPostgres, startTried } from "./restored-service.ts";
import { environmentOf, type Figures, type Setting, time } from "./scenario.ts";

/**
 * A user is removed, and the database is restored to the moment before, although the service's clock is ahead of
 * PostgreSQL's.
 */
export async function restoreMoment(setting: Setting): Promise<Figures> {
  const { processes, programs, owner, folder } = setting;
  const [first, second, wal] = [join(folder, "archived"), join(folder, "restored"), join(folder, "wal")];
  initialize(programs, first, owner);
  mkdirSync(wal);
  if (owner) chownSync(wal, owner.uid, owner.gid);
  // The settings from the page, with the folder of this run.
  appendFileSync(
    join(first, "postgresql.conf"),
    `wal_level = replica\ntrack_commit_timestamp = on\narchive_mode = on\narchive_timeout = 60\narchive_command = 'test ! -f ${wal}/%f && cp %p ${wal}/%f'\n`,
  );
  const source = await startServer(programs, first, owner);
  const url = await createDatabase(source);
  const masterKey = randomBytes(32);
  const options = (variables: Record<string, string>) => ({
    env: environmentOf(setting, {
      SUPERUSER_DATABASE_URL: urlOf(source, "postgres"),
      BACKUP_DATABASE_URL: urlOf(source, "signet_backup"),
      NEW_PGDATA: second,
      ...variables,
    }),
    as: owner,
    cwd: folder,
  });
  try {
    const variables = onPostgres(url, masterKey, join(processes.root, "archived"));
    const tried = await startTried(processes, { ...variables, ...withClockAhead(2_000) });
    await importMany(tried, setting.users);
    await runDocumented("Create a user for backups", options({}));
    const base = await time(() => runDocumented("Make a base backup", options({})));
    const lateId = await tried.importUser("imported-after-the-base-backup");
    const headers = { token: tried.token };
    const { status } = await send(tried.server.origin, "DELETE", `/management/v1/users/${lateId}`, headers);
    if (status !== 200) throw new Error(`RemoveUser returned ${status}`);
    await tried.importUser("imported-after-the-removal");
    const found = await runDocumented("Find the point in time", options({}));
    const [moment = "", removedId] = found.trim().split("\n")[0]?.split("|") ?? [];
    if (removedId !== lateId) throw new Error(`the events name ${removedId}`);
    await runDocumented("Find the point in time", options({}), 1);
    await tried.server.stop();
    // It archives the rest of its log, and then ends.
    await source.stop();

    await runDocumented("Restore to that point", options({ MOMENT: moment }));
    const recovery = await time(() => startServer(programs, second, owner, { archive_mode: "off" }));
    try {
      const newUrl = urlOf(recovery.result, "signet");
      const restored = onPostgres(newUrl, masterKey, join(processes.root, "restored-moment"));
      await checkService(processes, restored, tried, ["ada", "imported-after-the-base-backup"]);
      await checkSecret(newUrl, masterKey, tried);
      const later = checkService(processes, restored, tried, ["imported-after-the-removal"]);
      const problem = await later.then(
        () => "it exists",
        (error: Error) => error.message,
      );
      if (!/^imported-after-the-removal cannot sign in/.test(problem)) throw new Error(`a later user: ${problem}`);
    } finally {
      await recovery.result.stop();
    }
    return { users: String(setting.users), pg_basebackup: base.seconds, "recovery and start": recovery.seconds };
  } finally {
    await source.stop();
  }
}
