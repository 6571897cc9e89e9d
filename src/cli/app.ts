import { addOidcApp } from "../apps/add-oidc-app.ts";
import { CONSOLE_APP_ID } from "../apps/console-app.ts";
import { listAllApps } from "../apps/find-app-row.ts";
import { regenerateClientSecret } from "../apps/regenerate-client-secret.ts";
import { removeApp } from "../apps/remove-app.ts";
import { type Config, ConfigError } from "../config.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import { readNewApp } from "../rpc/requests/app.ts";
import { withDatabase } from "../server/open-database.ts";
import { createConfirm } from "./confirm.ts";
import { type CreateAppOptions, toNewAppConfig } from "./new-app-config.ts";
import { ofOperator } from "./of-operator.ts";
import { findOperatedApp } from "./operated-app.ts";
import { print, toLines, toTable } from "./print.ts";
import { printNewApp } from "./print-new-app.ts";
import { readInstanceId } from "./read-instance-id.ts";

const clock = () => new Date();

/** `signet app create`: prints the client id, and the client secret, which cannot be shown again. */
export async function createAppCommand(config: Config, options: CreateAppOptions): Promise<void> {
  await withDatabase(config, async (db) => {
    const app = await readNewApp({ name: options.name, ...toNewAppConfig(options) });
    const ownerId = options.instance ? await readInstanceId(db) : (await findOrg(db, options.org ?? "default")).id;
    const { clientId, clientSecret } = await addOidcApp({ db, clock }, app, ofOperator(ownerId));
    printNewApp(options.json, { clientId, clientSecret, ownerId });
  });
}

/** `signet app list`. With `instance`, only applications of the instance. */
export async function listAppsCommand(
  config: Config,
  { instance, json }: { instance: boolean; json: boolean },
): Promise<void> {
  await withDatabase(config, async (db) => {
    const found = (await listAllApps(db)).filter(({ org_name }) => !instance || org_name === null);
    const apps = found.map((app) => ({
      clientId: app.id,
      name: app.name,
      type: app.type,
      state: app.state,
      org: app.org_name,
      createdAt: app.created_at,
    }));
    const rows = apps.map(({ clientId, name, type, state, org, createdAt }) => [
      clientId,
      name,
      type,
      state,
      org ?? "(instance)",
      createdAt.toISOString(),
    ]);
    print(json, apps, toTable(["CLIENT ID", "NAME", "TYPE", "STATE", "ORG", "CREATED"], rows));
  });
}

/** `signet app show`. */
export async function showAppCommand(config: Config, { id, json }: { id: string; json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const {
      id: clientId,
      ownerId,
      sequence: _,
      created_at: createdAt,
      changed_at: changedAt,
      ...app
    } = await findOperatedApp(db, id);
    const shown = { clientId, ownerId, ...app, createdAt, changedAt };
    print(json, shown, toLines(shown));
  });
}

interface ConfirmedOptions {
  readonly id: string;
  /** Whether the change needs no confirmation on the terminal. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** `signet app secret`: replaces the client secret and prints the new one. */
export async function appSecretCommand(config: Config, { id, yes, json }: ConfirmedOptions): Promise<void> {
  const confirm = createConfirm(yes);
  await withDatabase(config, async (db) => {
    const { name, ownerId } = await findOperatedApp(db, id);
    await confirm(`Replace the secret of ${name} (${id})? The current one stops working at once.`);
    const { clientSecret } = await regenerateClientSecret({ db, clock }, { appId: id }, ofOperator(ownerId));
    print(json, { clientId: id, clientSecret }, [clientSecret]);
  });
}

/** `signet app remove`: removes an application and its tokens. */
export async function removeAppCommand(config: Config, { id, yes, json }: ConfirmedOptions): Promise<void> {
  if (id === CONSOLE_APP_ID) {
    throw new ConfigError("the application of the console cannot be removed; use `signet console disable`");
  }
  const confirm = createConfirm(yes);
  await withDatabase(config, async (db) => {
    const { name, ownerId } = await findOperatedApp(db, id);
    await confirm(`Remove the application ${name} (${id}) and its tokens? This cannot be undone.`);
    await removeApp({ db, clock }, { appId: id }, ofOperator(ownerId));
    print(json, { clientId: id }, [`removed ${id}`]);
  });
}
