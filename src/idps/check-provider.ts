import { createPrivateKey } from "node:crypto";
import { addProblem, type Problems } from "../errors.ts";
import type { IdpOptions, ProviderPayload } from "../events/catalogue.ts";
import { describeEndpointProblem } from "../fields/endpoint.ts";
import { describeIssuerProblem } from "../fields/issuer.ts";
import { checkIdpName, checkScopes } from "./check-idp-fields.ts";
import { type IdpKind, type IdpSettings, type KindSetting, kindOf } from "./kinds.ts";
import { AUTO_LINKING } from "./stored-numbers.ts";

/** The fields of all `Add…ProviderRequest` and `Update…ProviderRequest` messages. Each kind has some of them. */
export interface ProviderRequest extends Pick<IdpSettings, KindSetting> {
  readonly id?: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly privateKey?: Uint8Array;
  readonly issuer?: string;
  readonly scopes: readonly string[];
  readonly providerOptions?: (IdpOptions & OptionalSettings) | undefined;
}

/** The options that are stored with the settings of a kind. */
interface OptionalSettings {
  readonly requireAuthTime?: boolean | undefined;
  readonly trustEmail?: boolean;
}

/** A provider of any kind, without its secret. */
export interface CheckedSettings extends ProviderPayload {
  readonly kind: IdpKind;
  readonly settings: IdpSettings;
}

/** A checked request. */
export interface CheckedProvider {
  /** Empty for a new provider. */
  readonly id: string;
  readonly provider: CheckedSettings;
  /** The client secret or the private key. Empty to keep the stored one. */
  readonly secret: string;
}

/** The check of the rules that the schemas of a kind cannot express. They are the same for new and changed providers. */
export function checkProvider(name: IdpKind) {
  const kind = kindOf(name);
  return (request: ProviderRequest, problems: Problems): CheckedProvider => {
    const { id = "", clientId } = request;
    const issuer = request.issuer?.trim() ?? "";
    addProblem(problems, "issuer", kind.hasIssuer && describeIssuerProblem(issuer));
    const settings = kind.settings.map((setting) => [setting, SETTINGS[setting](request, problems)]);
    const { requireAuthTime, trustEmail = false } = request.providerOptions ?? {};
    if (trustEmail && kind.canBeTrusted !== true) {
      problems.add("providerOptions.trustEmail", "is only for PROVIDER_TYPE_OIDC and PROVIDER_TYPE_SAML");
    }
    return {
      id,
      provider: {
        kind: name,
        name: checkIdpName(request.name, problems),
        clientId,
        issuer,
        scopes: checkScopes(request.scopes, problems),
        settings: {
          ...Object.fromEntries(settings),
          ...(requireAuthTime !== undefined && { requireAuthTime }),
          ...(trustEmail && { trustEmail }),
        },
        options: checkOptions(request.providerOptions, problems),
      },
      secret: name === "apple" ? checkPrivateKey(request, problems) : (request.clientSecret ?? ""),
    };
  };
}

type Check<T> = (request: ProviderRequest, problems: Problems) => T;

const SETTINGS: { readonly [Name in KindSetting]-?: Check<IdpSettings[Name]> } = {
  isIdTokenMapping: ({ isIdTokenMapping }) => isIdTokenMapping,
  usePkce: ({ usePkce }) => usePkce,
  emailVerified: ({ emailVerified }) => emailVerified,
  idAttribute: ({ idAttribute }) => idAttribute,
  // A changed provider keeps its own.
  userIdAttribute: ({ id, userIdAttribute }) => userIdAttribute ?? (id === undefined ? "oid" : undefined),
  tenant: checkTenant,
  teamId: checkAppleId("teamId"),
  keyId: checkAppleId("keyId"),
  authorizationEndpoint: checkEndpoint("authorizationEndpoint"),
  tokenEndpoint: checkEndpoint("tokenEndpoint"),
  userEndpoint: checkEndpoint("userEndpoint"),
};

function checkEndpoint(name: "authorizationEndpoint" | "tokenEndpoint" | "userEndpoint"): Check<string> {
  return ({ [name]: value = "" }, problems) => {
    addProblem(problems, name, value && describeEndpointProblem(value));
    return value;
  };
}

function checkAppleId(name: "teamId" | "keyId"): Check<string> {
  return ({ [name]: value = "" }, problems) => {
    if (value !== "" && !/^[A-Z0-9]{10}$/.test(value)) problems.add(name, "must have 10 uppercase letters and digits");
    return value;
  };
}

function checkTenant({ tenant = "common" }: ProviderRequest, problems: Problems): string {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]|\.(?=[A-Za-z0-9]))*$/.test(tenant)) {
    problems.add("tenant.tenantId", "must be the id or a domain name of a tenant");
  }
  return tenant;
}

/** A key that Apple issues is one of the curve P-256 in PKCS #8. */
function checkPrivateKey({ privateKey = new Uint8Array() }: ProviderRequest, problems: Problems): string {
  // The schema rejects an empty key of a new provider, and one that is too long.
  if (privateKey.length === 0 || privateKey.length > LONGEST_KEY) return "";
  const pem = Buffer.from(privateKey).toString("latin1");
  if (!isP256(pem)) problems.add("privateKey", "must be a private key of the curve P-256 as PEM (a .p8 file of Apple)");
  return pem;
}

/** Bytes, as in the schema. */
const LONGEST_KEY = 4_096;

function isP256(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}

const NO_OPTIONS: IdpOptions = {
  isLinkingAllowed: false,
  isCreationAllowed: false,
  isAutoCreation: false,
  isAutoUpdate: false,
  autoLinking: AUTO_LINKING.none,
};

export function checkOptions(given: IdpOptions = NO_OPTIONS, problems: Problems): IdpOptions {
  const { isLinkingAllowed, isCreationAllowed, isAutoCreation, isAutoUpdate, autoLinking } = given;
  if (isAutoCreation && !isCreationAllowed) {
    problems.add("providerOptions.isAutoCreation", "requires isCreationAllowed");
  }
  if (autoLinking !== AUTO_LINKING.none && !isLinkingAllowed) {
    problems.add("providerOptions.autoLinking", "requires isLinkingAllowed");
  }
  return { isLinkingAllowed, isCreationAllowed, isAutoCreation, isAutoUpdate, autoLinking };
}
