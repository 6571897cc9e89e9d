import { type Command, Option } from "commander";
import { APP_SETTINGS, type AppConfig, type AppSettingName, EMPTY_APP_CONFIG } from "../database/app-config.ts";

interface AppOption {
  readonly flags: string;
  readonly description: string;
  /** The description for `app update`, if it is another one. */
  readonly ofUpdate?: string;
  /** The description of `--no-…` for `app update`. */
  readonly no?: string;
}

/** The options of `app create` and `app update` for settings. Those for its authentication are in `src/cli/app.ts`. */
const APP_OPTIONS: Readonly<Partial<Record<AppSettingName, AppOption>>> = {
  redirectUris: { flags: "--redirect-uri <uri...>", description: "URI the browser can return to after sign-in" },
  postLogoutRedirectUris: {
    flags: "--post-logout-redirect-uri <uri...>",
    description: "URI the browser can return to after sign-out",
  },
  backChannelLogoutUri: {
    flags: "--back-channel-logout-uri <uri>",
    description: "URL that is notified of sign-outs",
    ofUpdate: "URL that is notified of sign-outs; empty to remove it",
  },
  serviceUserId: {
    flags: "--service-user <id>",
    description: "id of the machine user that an application of the type service gets tokens for",
    ofUpdate: "id of another machine user; tokens for the previous one become invalid",
  },
  devMode: { flags: "--dev-mode", description: "allow http URIs", no: "do not allow http URIs" },
  idTokenUserinfoAssertion: {
    flags: "--id-token-claims",
    description: "put the claims of all granted scopes in ID tokens",
    no: "do not put them there",
  },
  idTokenSignedResponseAlg: {
    flags: "--id-token-algorithm <algorithm>",
    description: "what signs its ID tokens and logout tokens",
  },
  apiAccess: {
    flags: "--api-access",
    description: "let it call the API with the roles of its users (scope urn:signet:api)",
    no: "do not let it call the API; its access tokens for the API become invalid",
  },
  accessTokenType: { flags: "--access-token-type <type>", description: "form of its access tokens" },
  roles: {
    flags: "--role <role...>",
    description: "name of a role that users can have in it",
    ofUpdate: "name of a role that users can have in it; for no roles, use `app roles set`",
  },
  metadataClaims: {
    flags: "--metadata-claim <key...>",
    description: "key of metadata of users that it gets as a claim",
  },
  requiresPkce: {
    flags: "--require-pkce",
    description: "require PKCE although it has a secret or key; other applications always require it",
    ofUpdate: "require PKCE",
    no: "do not require PKCE of an application with a secret or key",
  },
  requiresPar: {
    flags: "--require-par",
    description: "require pushed authorization requests (RFC 9126)",
    no: "do not require them",
  },
  dpopBoundAccessTokens: {
    flags: "--require-dpop",
    description: "issue only tokens that are bound to a key of the application (RFC 9449)",
    no: "also issue bearer tokens",
  },
};

const ENTRIES = Object.entries(APP_OPTIONS) as [AppSettingName, AppOption][];

/** Adds the options for settings. Only those of a new application have defaults. */
export function addAppOptions(command: Command, isNew: boolean): Command {
  for (const [name, { flags, description, ofUpdate = description, no }] of ENTRIES) {
    const option = new Option(flags, isNew ? description : ofUpdate);
    const { rule } = APP_SETTINGS[name];
    if (typeof rule !== "string") option.choices(rule);
    if (isNew) option.default(EMPTY_APP_CONFIG[name] ?? undefined);
    command.addOption(option);
    if (!isNew && no !== undefined) command.option(flags.replace("--", "--no-"), no);
  }
  return command;
}

/** The settings for the options that are given or have a default. */
export function readAppOptions(options: object): Partial<AppConfig> {
  const values: Readonly<Record<string, unknown>> = { ...options };
  const read = ENTRIES.map(([name, { flags }]) => [name, values[new Option(flags).attributeName()]] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}
