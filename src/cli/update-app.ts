import { patchOidcAppConfig } from "../apps/patch-oidc-app-config.ts";
import { type Config, ConfigError } from "../config.ts";
import { readAppPatch } from "../rpc/requests/app.ts";
import { withDatabase } from "../server/open-database.ts";
import { type AppChanges, toAppChanges } from "./app-changes.ts";
import { ofOperator } from "./of-operator.ts";
import { findOperatedApp } from "./operated-app.ts";
import { print } from "./print.ts";
import { readInstanceId } from "./read-instance-id.ts";

export interface UpdateAppOptions extends AppChanges {
  readonly id: string;
  /** Whether only an application of the instance may be changed. */
  readonly instance: boolean;
  readonly json: boolean;
}

/** `signet app update`: changes the given parts of the configuration, and keeps the others. */
export async function updateAppCommand(config: Config, options: UpdateAppOptions): Promise<void> {
  const { id, instance, json } = options;
  const changes = toAppChanges(options);
  if (Object.keys(changes).length === 0) throw new ConfigError("give at least one option with a change");
  await withDatabase(config, async (db) => {
    const app = await findOperatedApp(db, id);
    if (instance && app.ownerId !== (await readInstanceId(db))) {
      throw new ConfigError(`the application "${id}" belongs to an organization, not to the instance`);
    }
    const patch = await readAppPatch(app, changes);
    const { config: updated } = await patchOidcAppConfig(
      { db, clock: () => new Date() },
      patch,
      ofOperator(app.ownerId),
    );
    print(json, { clientId: id, ...updated }, [`updated ${id}`]);
  });
}
