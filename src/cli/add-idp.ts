import { readFileSync } from "node:fs";
import { type Config, ConfigError } from "../config.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { addProvider } from "../idps/add-provider.ts";
import type { IdpOwner } from "../idps/idp-owner.ts";
import type { InsertIdpParts } from "../idps/insert-idp.ts";
import { addSamlProvider } from "../idps/saml/add-saml-provider.ts";
import { createSamlThread } from "../idps/saml/saml-thread.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import { type ProviderKind, readNewProvider, readNewSamlProvider } from "../rpc/requests/provider.ts";
import { openKeyring } from "../server/keyring.ts";
import { withDatabase } from "../server/open-database.ts";
import { samlAcsUrl } from "../sign-in/saml-sign-in.ts";
import { callbackUrl } from "../web/sign-in/idp-callback.ts";
import { ofOperator } from "./of-operator.ts";
import { print } from "./print.ts";
import { readInstanceId } from "./read-instance-id.ts";

/** The options of all kinds. Each kind has some of those that are optional. */
interface AddIdpOptions {
  readonly name: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  readonly privateKeyFile?: string;
  readonly scope?: readonly string[];
  readonly issuer?: string;
  readonly tenant?: string;
  readonly emailVerified?: boolean;
  readonly teamId?: string;
  readonly keyId?: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly userEndpoint?: string;
  readonly idAttribute?: string;
  readonly pkce?: boolean;
  readonly idTokenMapping?: boolean;
  readonly metadataFile?: string;
  readonly metadataUrl?: string;
  readonly binding?: "post" | "redirect";
  readonly signedRequests?: boolean;
  readonly nameIdFormat?: "email" | "persistent" | "transient";
  readonly transientAttribute?: string;
  /** Id or name of the organization that owns the provider; the instance by default. */
  readonly org?: string;
  readonly linking: boolean;
  readonly creation: boolean;
  readonly autoCreation: boolean;
  readonly autoUpdate: boolean;
  readonly autoLinking: boolean;
  readonly json: boolean;
}

const clock = () => new Date();

/** `signet idp add`: adds a provider by the rules of `Add…Provider`, and prints what to register there. */
export async function addIdpCommand(config: Config, kind: string, options: AddIdpOptions): Promise<void> {
  const add = kind === "saml" ? await prepareSaml(config, options) : await prepare(kind, options);
  await withDatabase(config, async (db) => {
    const keyring = openKeyring(config);
    await registerKeys(db, keyring, clock());
    const owner =
      options.org === undefined
        ? ({ kind: "instance", id: await readInstanceId(db) } as const)
        : ({ kind: "org", id: (await findOrg(db, options.org)).id } as const);
    const { id } = await add({ db, keyring, clock }, owner);
    const url = kind === "saml" ? samlAcsUrl(config, id) : callbackUrl(config, id);
    print(options.json, { id, ownerId: owner.id, callbackUrl: url }, [`id:           ${id}`, `callback URL: ${url}`]);
  });
}

type Add = (parts: InsertIdpParts, owner: IdpOwner) => Promise<{ readonly id: string }>;

async function prepare(kind: string, options: AddIdpOptions): Promise<Add> {
  const checked = await readNewProvider(toKind(kind, options), toFields(options));
  return (parts, owner) => addProvider(parts, checked, owner, ofOperator(owner.id));
}

async function prepareSaml(config: Config, options: AddIdpOptions): Promise<Add> {
  const { name, metadataFile, metadataUrl, binding, signedRequests, nameIdFormat, transientAttribute } = options;
  const checked = await readNewSamlProvider({
    name,
    metadata: metadataFile === undefined ? metadataUrl : read("--metadata-file", metadataFile),
    binding: binding ?? "unspecified",
    withSignedRequest: signedRequests ?? false,
    nameIdFormat: nameIdFormat ?? "unspecified",
    transientMappingAttributeName: transientAttribute ?? "",
    providerOptions: toFields(options).providerOptions,
  });
  const saml = createSamlThread();
  return (parts, owner) => addSamlProvider({ ...parts, config, saml }, checked, owner, ofOperator(owner.id));
}

/** GitLab and GitHub have a kind for servers of their own. */
function toKind(
  kind: string,
  { issuer, authorizationEndpoint, tokenEndpoint, userEndpoint }: AddIdpOptions,
): ProviderKind {
  if (kind === "gitlab") return issuer === undefined ? "gitlab" : "gitlab_self_hosted";
  const endpoints = [authorizationEndpoint, tokenEndpoint, userEndpoint];
  if (kind === "github") return endpoints.every((url) => url === undefined) ? "github" : "github_es";
  return kind as ProviderKind;
}

/** The fields of the request. */
function toFields(options: AddIdpOptions) {
  const { clientSecretFile, privateKeyFile, scope, pkce, idTokenMapping, autoLinking, autoCreation, ...rest } = options;
  const { linking, creation, autoUpdate, org: _, json: __, ...fields } = rest;
  return {
    ...fields,
    scopes: [...(scope ?? [])],
    ...(clientSecretFile !== undefined && {
      clientSecret: read("--client-secret-file", clientSecretFile).toString("utf8").trim(),
    }),
    ...(privateKeyFile !== undefined && { privateKey: read("--private-key-file", privateKeyFile) }),
    ...(pkce !== undefined && { usePkce: pkce }),
    ...(idTokenMapping !== undefined && { isIdTokenMapping: idTokenMapping }),
    providerOptions: {
      isLinkingAllowed: linking || autoLinking,
      isCreationAllowed: creation || autoCreation,
      isAutoCreation: autoCreation,
      isAutoUpdate: autoUpdate,
      autoLinksByEmail: autoLinking,
    },
  };
}

function read(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new ConfigError(`${option}: ${file} cannot be read: ${String((cause as NodeJS.ErrnoException).code)}`);
  }
}
