import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { CallOptions } from "@connectrpc/connect";
import { type App, AppState } from "../../gen/signet/v1/app_pb.js";
import { CONSOLE_APP_ID } from "../apps/console-app.ts";
import { type Config, ConfigError } from "../config.ts";
import type { AppConfig } from "../database/app-config.ts";
import { inOrg } from "../moving/in-org.ts";
import { readPages } from "../moving/read-pages.ts";
import { toAppFields, toAppSettings } from "../rpc/app-enums.ts";
import { type Api, apiCommand, confirmedCommand, type OrgOptions, withApi } from "./api.ts";
import { readAppOptions } from "./app-options.ts";
import { findNamedOrg } from "./named-org.ts";
import { findOwners, inOrgOf, readOfOwners } from "./owners.ts";
import { print, toLines, toRows, toTable } from "./print.ts";
import { readOptionFile } from "./read-option-file.ts";
import { UsageError } from "./usage-error.ts";

interface AppOptions extends OrgOptions {
  /** Whether it is about applications of the instance, which only the database has calls for. */
  readonly instance?: boolean;
}

interface OneAppOptions extends AppOptions {
  /** The client id. */
  readonly id: string;
}

/** How an application authenticates itself; at most one of the options is given. */
interface AuthenticationOptions {
  readonly authMethod?: "basic" | "post";
  /** A file with the application's public keys. */
  readonly jwksFile?: string;
  readonly jwksUri?: string;
}

interface CreateAppOptions extends AppOptions, AuthenticationOptions {
  readonly name: string;
  readonly type: AppConfig["type"];
}

/** `signet app create`: prints the client id, and the client secret, which cannot be shown again. */
export const createAppCommand = apiCommand(async (api, options: CreateAppOptions) => {
  const request = { name: options.name, ...toAppFields(toNewAppConfig(options)) };
  const org = options.org ?? (api.isServer ? undefined : "default");
  const owner = options.instance ? requireInstance(api) : inOrg(await findNamedOrg(api, org));
  const { clientId, clientSecret, details } = await api.management.addOIDCApp(request, owner);
  const ownerId = details?.resourceOwner;
  print(options.json, { clientId, ...(clientSecret && { clientSecret }), ownerId }, [
    `client id:     ${clientId}`,
    ...(clientSecret ? [`client secret: ${clientSecret}`] : []),
  ]);
});

function toNewAppConfig(options: CreateAppOptions): Partial<AppConfig> {
  const { type } = options;
  const authMethod = type === "web" || type === "service" ? "basic" : "none";
  return {
    type,
    authMethod,
    ...readAuthentication(options),
    grantTypes: GRANT_TYPES[type],
    ...readAppOptions(options),
  };
}

/**
 * The settings of the application for the options.
 *
 * @returns Undefined if no option is given.
 * @throws ConfigError if the file cannot be read.
 */
function readAuthentication({ authMethod, jwksFile, jwksUri = "" }: AuthenticationOptions) {
  if (jwksFile !== undefined || jwksUri !== "") {
    const jwks = jwksFile === undefined ? null : readOptionFile("--jwks-file", jwksFile).toString("utf8");
    return { authMethod: "private_key_jwt" as const, jwks, jwksUri: jwksUri || null };
  }
  return authMethod && { authMethod, jwks: null, jwksUri: null };
}

/** The grant types of new applications, by type. The last one of `native` is that of RFC 8628. */
const GRANT_TYPES = {
  web: ["authorization_code", "refresh_token"],
  spa: ["authorization_code", "refresh_token"],
  native: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
  service: ["client_credentials"],
};

/** `signet app list`: on the database, those of the instance and of all organizations, with the owner's name. */
export const listAppsCommand = apiCommand(async (api, options: AppOptions) => {
  const owners = options.instance
    ? [{ options: requireInstance(api), name: null }]
    : await findOwners(api, "app", api.isServer ? options.org : undefined);
  const apps = await readOfOwners(owners, async ({ options: ofOwner, name: org }) => {
    const found = await readPages((query) => api.management.listApps({ query }, ofOwner));
    return found.map((app) => {
      const { clientId: id, name, type, state, ownerId, createdAt } = toShown(app);
      return { id, name, type, state, ownerId, org, createdAt };
    });
  });
  const shown = apps.map(({ id: clientId, ownerId, org, ...app }) => ({
    clientId,
    ...app,
    ...(api.isServer ? { ownerId } : { org }),
  }));
  const owned = apps.map((app) => ({ ...app, org: app.org ?? "(instance)" }));
  const names = ["id", "name", "type", "state", ...(api.isServer ? [] : (["org"] as const)), "createdAt"] as const;
  const heading = ["CLIENT ID", "NAME", "TYPE", "STATE", ...(api.isServer ? [] : ["ORG"]), "CREATED"];
  print(options.json, shown, toTable(heading, toRows(owned, ...names)));
});

/** `signet app show`. */
export const showAppCommand = apiCommand(async (api, options: OneAppOptions) => {
  const shown = await readApp(api, options.id, await inOrgOf(api, "app", options));
  print(options.json, shown, toLines(shown));
});

async function readApp(api: Api, appId: string, options: CallOptions) {
  const { app } = await api.management.getAppByID({ appId }, options);
  if (app === undefined) throw new Error("the response has no application");
  return toShown(app);
}

/** `signet app update`: one PatchOIDCAppConfig, whose mask names what is given. */
export async function updateAppCommand(
  configuration: () => Config,
  options: AuthenticationOptions & OneAppOptions,
): Promise<void> {
  const fields = toAppFields({ ...readAuthentication(options), ...readAppOptions(options) });
  const paths = Object.keys(fields).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  if (paths.length === 0) throw new ConfigError("give at least one option with a change");
  const { id } = options;
  await withApi(configuration, options, async (api) => {
    const instance = options.instance && requireInstance(api);
    const callOptions = await inOrgOf(api, "app", options);
    if (instance && callOptions !== instance) {
      throw new ConfigError(`the application "${id}" belongs to an organization, not to the instance`);
    }
    const { details } = await api.management.patchOIDCAppConfig(
      { appId: id, ...fields, updateMask: { paths } },
      callOptions,
    );
    const ownerId = details?.resourceOwner;
    print(options.json, api.isServer ? { clientId: id, ownerId } : await readApp(api, id, callOptions), [
      `updated ${id}`,
    ]);
  });
}

/** `signet app secret`: replaces the client secret, and prints the new one. */
export const appSecretCommand = confirmedCommand(async (api, options: OneAppOptions, confirm) => {
  const { id } = options;
  const callOptions = await inOrgOf(api, "app", options);
  const { name } = await readApp(api, id, callOptions);
  await confirm(`Replace the secret of ${name} (${id})? The current one stops working at once.`);
  const { clientSecret } = await api.management.regenerateOIDCClientSecret({ appId: id }, callOptions);
  print(options.json, { clientId: id, clientSecret }, [clientSecret]);
});

/** `signet app remove`: removes an application and its tokens. */
export async function removeAppCommand(configuration: () => Config, options: OneAppOptions): Promise<void> {
  const { id } = options;
  if (id === CONSOLE_APP_ID) {
    throw new ConfigError("the application of the console cannot be removed; use `signet console disable`");
  }
  await removeApp(configuration, options);
}

const removeApp = confirmedCommand(async (api, options: OneAppOptions, confirm) => {
  const { id } = options;
  const callOptions = await inOrgOf(api, "app", options);
  const { name } = await readApp(api, id, callOptions);
  await confirm(`Remove the application ${name} (${id}) and its tokens? This cannot be undone.`);
  await api.management.removeApp({ appId: id }, callOptions);
  print(options.json, { clientId: id }, [`removed ${id}`]);
});

/** @throws UsageError on a server. */
function requireInstance({ instance }: Api): CallOptions {
  if (instance !== undefined) return instance.options;
  throw new UsageError("--instance requires the database: unset SIGNET_URL, and leave out --url");
}

function toShown({ id: clientId, details, state, name, config }: App) {
  const { value } = config;
  return {
    clientId,
    ownerId: details?.resourceOwner,
    name,
    state: state === AppState.ACTIVE ? "active" : "inactive",
    ...(value && toAppSettings(value)),
    createdAt: details?.creationDate && timestampDate(details.creationDate),
    changedAt: details?.changeDate && timestampDate(details.changeDate),
  };
}
