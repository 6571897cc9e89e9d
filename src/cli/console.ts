import { deactivateApp, reactivateApp } from "../apps/change-app.ts";
import { CONSOLE_APP_ID } from "../apps/console-app.ts";
import { createOperatorCall } from "../call.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { SignetError } from "../errors.ts";
import { ensureConsole } from "../instance/ensure-console.ts";
import { withDatabase } from "../server/open-database.ts";
import { readInstanceId } from "./find-scope.ts";
import { print } from "./print.ts";

interface ConsoleOptions {
  readonly json: boolean;
}

const clock = () => new Date();

/** `signet console disable`: deactivates the application of the console. */
export async function disableConsoleCommand(config: Config, { json }: ConsoleOptions): Promise<void> {
  await setConsole(config, deactivateApp);
  print(json, { enabled: false }, ["the console is disabled"]);
}

/** `signet console enable`: reactivates the application of the console, or adds it again if it was removed. */
export async function enableConsoleCommand(config: Config, { json }: ConsoleOptions): Promise<void> {
  await setConsole(config, reactivateApp);
  print(json, { enabled: true }, [`the console is enabled: ${config.publicUrl}/console`]);
}

async function setConsole(config: Config, change: typeof deactivateApp): Promise<void> {
  await withDatabase(config, async (db) => {
    await ensureConsole({ db, clock }, config.publicUrl);
    await changeUnlessDone(db, change);
  });
}

async function changeUnlessDone(db: Database, change: typeof deactivateApp): Promise<void> {
  try {
    const instanceId = await readInstanceId(db);
    await change({ db, clock }, { appId: CONSOLE_APP_ID }, createOperatorCall({ instanceId, orgId: instanceId }));
  } catch (error) {
    const isDone = error instanceof SignetError && error.reason === "APP_STATE";
    if (!isDone) throw error;
  }
}
