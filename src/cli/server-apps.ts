import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type App, AppState } from "../../gen/signet/v1/app_pb.js";
import { type Config, ConfigError } from "../config.ts";
import { inOrg } from "../moving/in-org.ts";
import { APP_TYPES, AUTH_METHODS, GRANT_TYPES, SIGNING_ALGORITHMS, TOKEN_TYPES, toNumber } from "../rpc/app-enums.ts";
import { toAppConfig } from "../rpc/responses/app.ts";
import { type ApiOptions, withApi } from "./api.ts";
import { type AppChanges, toAppChanges } from "./app-changes.ts";
import { createConfirm } from "./confirm.ts";
import { findNamedOrg } from "./named-org.ts";
import { type CreateAppOptions, toNewAppConfig } from "./new-app-config.ts";
import { print, toLines, toTable } from "./print.ts";
import { printNewApp } from "./print-new-app.ts";
import { readPages } from "./read-pages.ts";
import { UsageError } from "./usage-error.ts";

/*
 * The commands `signet app …` on a running server. They print the same as on the database, except that the API reaches the
 * applications of one organization.
 */

interface ServerOptions extends ApiOptions {
  /** Id or name; undefined for the organization of the token. */
  readonly org?: string;
  readonly instance?: boolean;
  readonly json: boolean;
}

interface OneAppOptions extends ServerOptions {
  /** The client id. */
  readonly id: string;
  /** Whether the change needs no confirmation on the terminal. */
  readonly yes?: boolean;
}

/** `signet app create --url`. */
export async function createAppOnServer(
  configuration: () => Config,
  options: Omit<CreateAppOptions, "org"> & ServerOptions,
): Promise<void> {
  throwIfOfInstance(options);
  const request = { name: options.name, ...toAppConfig(toNewAppConfig(options)) };
  await withApi(configuration, options, async (api) => {
    const orgId = await findNamedOrg(api, options.org);
    const { clientId, clientSecret, details } = await api.management.addOIDCApp(request, inOrg(orgId));
    printNewApp(options.json, { clientId, clientSecret, ownerId: details?.resourceOwner });
  });
}

/** `signet app list --url`. */
export async function listAppsOnServer(configuration: () => Config, options: ServerOptions): Promise<void> {
  throwIfOfInstance(options);
  await withApi(configuration, options, async (api) => {
    const callOptions = inOrg(await findNamedOrg(api, options.org));
    const found = await readPages((query) => api.management.listApps({ query }, callOptions));
    const apps = found.map((app) => {
      const { clientId, name, type, state, ownerId, createdAt } = toShown(app);
      return { clientId, name, type, state, ownerId, createdAt };
    });
    const rows = apps.map(({ clientId, name, type, state, createdAt }) => [
      clientId,
      name,
      type ?? "",
      state,
      createdAt?.toISOString() ?? "",
    ]);
    print(options.json, apps, toTable(["CLIENT ID", "NAME", "TYPE", "STATE", "CREATED"], rows));
  });
}

/** `signet app show --url`. */
export async function showAppOnServer(configuration: () => Config, options: OneAppOptions): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const orgId = await findNamedOrg(api, options.org);
    const { app } = await api.management.getAppByID({ appId: options.id }, inOrg(orgId));
    if (app === undefined) throw new Error("the response has no application");
    const shown = toShown(app);
    print(options.json, shown, toLines(shown));
  });
}

/** `signet app update --url`: one PatchOIDCAppConfig, whose mask names what is given. */
export async function updateAppOnServer(
  configuration: () => Config,
  options: AppChanges & OneAppOptions,
): Promise<void> {
  throwIfOfInstance(options);
  const {
    authMethod,
    jwks,
    jwksUri,
    accessTokenType,
    idTokenSignedResponseAlg: alg,
    ...changes
  } = toAppChanges(options);
  const fields = {
    ...changes,
    ...(accessTokenType !== undefined && { accessTokenType: toNumber(TOKEN_TYPES, accessTokenType) }),
    ...(alg !== undefined && { idTokenSignedResponseAlg: toNumber(SIGNING_ALGORITHMS, alg) }),
    ...(authMethod !== undefined && {
      authMethodType: toNumber(AUTH_METHODS, authMethod),
      jwks: jwks ?? "",
      jwksUri: jwksUri ?? "",
    }),
  };
  const paths = Object.keys(fields).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  if (paths.length === 0) throw new ConfigError("give at least one option with a change");
  await withApi(configuration, options, async (api) => {
    const orgId = await findNamedOrg(api, options.org);
    const request = { appId: options.id, ...fields, updateMask: { paths } };
    const { details } = await api.management.patchOIDCAppConfig(request, inOrg(orgId));
    print(options.json, { clientId: options.id, ownerId: details?.resourceOwner }, [`updated ${options.id}`]);
  });
}

/** `signet app secret --url`. */
export async function appSecretOnServer(configuration: () => Config, options: OneAppOptions): Promise<void> {
  const { id } = options;
  const confirm = createConfirm(options.yes === true);
  await withApi(configuration, options, async (api) => {
    await confirm(`Replace the secret of ${id}? The current one stops working at once.`);
    const orgId = await findNamedOrg(api, options.org);
    const { clientSecret } = await api.management.regenerateOIDCClientSecret({ appId: id }, inOrg(orgId));
    print(options.json, { clientId: id, clientSecret }, [clientSecret]);
  });
}

/** `signet app remove --url`. */
export async function removeAppOnServer(configuration: () => Config, options: OneAppOptions): Promise<void> {
  const { id } = options;
  const confirm = createConfirm(options.yes === true);
  await withApi(configuration, options, async (api) => {
    await confirm(`Remove the application ${id} and its tokens? This cannot be undone.`);
    await api.management.removeApp({ appId: id }, inOrg(await findNamedOrg(api, options.org)));
    print(options.json, { clientId: id }, [`removed ${id}`]);
  });
}

function throwIfOfInstance({ instance }: ServerOptions): void {
  if (instance) throw new UsageError("--instance requires the database: unset SIGNET_URL, and leave out --url");
}

/** An application as on the database. */
function toShown({ id: clientId, details, state, name, config }: App) {
  const { value } = config;
  return {
    clientId,
    ownerId: details?.resourceOwner,
    name,
    state: state === AppState.ACTIVE ? "active" : "inactive",
    type: value && APP_TYPES.get(value.appType),
    authMethod: value && AUTH_METHODS.get(value.authMethodType),
    grantTypes: value?.grantTypes.map((type) => GRANT_TYPES.get(type) ?? String(type)),
    redirectUris: value?.redirectUris,
    postLogoutRedirectUris: value?.postLogoutRedirectUris,
    additionalOrigins: value?.additionalOrigins,
    backChannelLogoutUri: value?.backChannelLogoutUri || null,
    accessTokenType: value && TOKEN_TYPES.get(value.accessTokenType),
    idTokenUserinfoAssertion: value?.idTokenUserinfoAssertion,
    idTokenSignedResponseAlg: value && SIGNING_ALGORITHMS.get(value.idTokenSignedResponseAlg),
    devMode: value?.devMode,
    apiAccess: value?.apiAccess,
    jwks: value?.jwks || null,
    jwksUri: value?.jwksUri || null,
    serviceUserId: value?.serviceUserId || null,
    roles: value?.roles,
    metadataClaims: value?.metadataClaims,
    requiresPkce: value?.requiresPkce,
    requiresPar: value?.requiresPar,
    dpopBoundAccessTokens: value?.dpopBoundAccessTokens,
    createdAt: details?.creationDate && timestampDate(details.creationDate),
    changedAt: details?.changeDate && timestampDate(details.changeDate),
  };
}
