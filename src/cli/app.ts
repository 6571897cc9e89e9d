import { create } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import { AddOIDCAppRequestSchema, OIDCAppType, OIDCAuthMethodType, OIDCGrantType } from "../../gen/signet/v1/app_pb.js";
import { addOidcApp } from "../apps/add-oidc-app.ts";
import { checkAddOidcApp } from "../apps/check-oidc-app.ts";
import { findAppRow, listAllApps } from "../apps/find-app-row.ts";
import { regenerateClientSecret } from "../apps/regenerate-client-secret.ts";
import { removeApp } from "../apps/remove-app.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Tables } from "../database/tables.ts";
import { checkMessage } from "../fields/check-message.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import { withDatabase } from "./open-database.ts";
import { print, toTable } from "./print.ts";
import { readInstanceId } from "./read-instance-id.ts";

/** Where an application runs. */
const APP_TYPE_OPTIONS = {
  web: OIDCAppType.OIDC_APP_TYPE_WEB,
  spa: OIDCAppType.OIDC_APP_TYPE_USER_AGENT,
  native: OIDCAppType.OIDC_APP_TYPE_NATIVE,
} as const;

interface CreateAppOptions {
  readonly name: string;
  readonly type: keyof typeof APP_TYPE_OPTIONS;
  readonly redirectUri: readonly string[];
  readonly postLogoutRedirectUri: readonly string[];
  /** Id or name of the organization that owns the application. */
  readonly org: string;
  /** Whether the application belongs to the instance. */
  readonly instance: boolean;
  readonly devMode: boolean;
  readonly json: boolean;
}

const clock = () => new Date();

/** `signet app create`: prints the client id, and the client secret, which cannot be shown again. */
export async function createAppCommand(config: Config, options: CreateAppOptions): Promise<void> {
  await withDatabase(config, async (db) => {
    const request = create(AddOIDCAppRequestSchema, {
      name: options.name,
      appType: APP_TYPE_OPTIONS[options.type],
      authMethodType:
        options.type === "web"
          ? OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC
          : OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE,
      grantTypes: [
        OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE,
        OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN,
        ...(options.type === "native" ? [OIDCGrantType.OIDC_GRANT_TYPE_DEVICE_CODE] : []),
      ],
      redirectUris: [...options.redirectUri],
      postLogoutRedirectUris: [...options.postLogoutRedirectUri],
      devMode: options.devMode,
    });
    let app: ReturnType<typeof checkAddOidcApp> | undefined;
    await checkMessage(AddOIDCAppRequestSchema, request, (problems) => {
      app = checkAddOidcApp(request, problems);
    });
    if (app === undefined) throw new Error("the request was not checked");
    const ownerId = options.instance ? await readInstanceId(db) : (await findOrg(db, options.org)).id;
    const { clientId, clientSecret } = await addOidcApp({ db, clock }, app, ofOperator(ownerId));
    print(options.json, { clientId, ...(clientSecret && { clientSecret }), ownerId }, [
      `client id:     ${clientId}`,
      ...(clientSecret ? [`client secret: ${clientSecret}`] : []),
    ]);
  });
}

/** `signet app list`. */
export async function listAppsCommand(config: Config, { json }: { json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const apps = (await listAllApps(db)).map((app) => ({
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
    } = await find(db, id);
    const shown = { clientId, ownerId, ...app, createdAt, changedAt };
    print(
      json,
      shown,
      Object.entries(shown).map(([name, value]) => `${name}: ${toText(value)}`),
    );
  });
}

/** `signet app secret`: replaces the client secret and prints the new one. */
export async function appSecretCommand(config: Config, { id, json }: { id: string; json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const { ownerId } = await find(db, id);
    const { clientSecret } = await regenerateClientSecret({ db, clock }, { appId: id }, ofOperator(ownerId));
    print(json, { clientId: id, clientSecret }, [clientSecret]);
  });
}

/** `signet app remove`: removes an application and its tokens. */
export async function removeAppCommand(config: Config, { id, json }: { id: string; json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const { ownerId } = await find(db, id);
    await removeApp({ db, clock }, { appId: id }, ofOperator(ownerId));
    print(json, { clientId: id }, [`removed ${id}`]);
  });
}

function toText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : [value].flat().join(" ");
}

/** The caller of an operation on the command line: not a user, and never disconnects. */
function ofOperator(ownerId: string) {
  return { orgId: ownerId, userId: null, throwIfOver() {} };
}

async function find(db: Kysely<Tables>, id: string) {
  const app = await findAppRow(db, id);
  if (app === undefined) throw new ConfigError(`no application has the client id "${id}"`);
  return app;
}
