import type { JsonObject } from "@bufbuild/protobuf";
import { CLIENT_SECRET, EMOJI, IDP } from "../support/clients/requests.ts";

/** The RPCs that change a provider, by their names for the instance. */
export const CHANGE_RPCS = ["UpdateIDP", "UpdateIDPOIDCConfig", "DeactivateIDP", "ReactivateIDP", "RemoveIDP"] as const;
export type ChangeRpc = (typeof CHANGE_RPCS)[number];

export const OWNERS = ["instance", "org"] as const;
export type Owner = (typeof OWNERS)[number];

/** The RPC of an owner. */
export function rpcOf<T extends string>(rpc: T, owner: Owner) {
  return (owner === "org" ? rpc.replace("IDP", "OrgIDP") : rpc) as T;
}

/** A request that is valid for the RPC, besides the id. */
export const VALID: Readonly<Record<ChangeRpc, JsonObject>> = {
  UpdateIDP: { name: "Renamed" },
  UpdateIDPOIDCConfig: { clientId: "other", issuer: IDP.issuer },
  DeactivateIDP: {},
  ReactivateIDP: {},
  RemoveIDP: {},
};

export const NEW_SECRET = "another-client-secret-of-the-tests";

/** The provider that each case starts with. */
export const START: JsonObject = {
  ...IDP,
  stylingType: "STYLING_TYPE_GOOGLE",
  scopes: ["openid", "email"],
  displayNameMapping: "OIDC_MAPPING_FIELD_EMAIL",
  usernameMapping: "OIDC_MAPPING_FIELD_PREFERRED_USERNAME",
  autoRegister: true,
};

const START_CONFIG = {
  clientId: IDP.clientId,
  issuer: IDP.issuer,
  scopes: ["openid", "email"],
  displayNameMapping: 2,
  usernameMapping: 1,
};

interface Case {
  readonly title: string;
  readonly rpc: ChangeRpc;
  readonly isInactive?: boolean;
  readonly request?: JsonObject;
}

/** A call that makes a change. */
export interface ChangeCase extends Case {
  /** The type of the event after `org.idp.` or `instance.idp.`, and its payload. */
  readonly event: readonly [string, JsonObject];
  /** The columns that differ from before, besides sequence and time. */
  readonly stored: Readonly<Record<string, unknown>>;
  /** The secret afterwards. */
  readonly secret?: string;
}

export const CHANGES: readonly ChangeCase[] = [
  {
    title: "replaces the general settings",
    rpc: "UpdateIDP",
    request: {
      name: EMOJI.repeat(200),
      stylingType: "STYLING_TYPE_UNSPECIFIED",
      autoRegister: false,
      federatedLogoutEnabled: true,
    },
    event: ["changed", { name: EMOJI.repeat(200), stylingType: 0, autoRegister: false, federatedLogoutEnabled: true }],
    stored: { name: EMOJI.repeat(200), styling_type: 0, auto_register: false, federated_logout_enabled: true },
  },
  {
    title: "sets general settings that are left out to their defaults",
    rpc: "UpdateIDP",
    request: { name: IDP.name },
    event: ["changed", { name: IDP.name, stylingType: 0, autoRegister: false, federatedLogoutEnabled: false }],
    stored: { styling_type: 0, auto_register: false },
  },
  {
    title: "changes a deactivated provider",
    rpc: "UpdateIDP",
    isInactive: true,
    request: { name: "Renamed", stylingType: 1, autoRegister: true },
    event: ["changed", { name: "Renamed", stylingType: 1, autoRegister: true, federatedLogoutEnabled: false }],
    stored: { name: "Renamed" },
  },
  {
    title: "replaces the configuration and the secret",
    rpc: "UpdateIDPOIDCConfig",
    request: {
      clientId: "other",
      clientSecret: NEW_SECRET,
      issuer: "https://login.example.com/tenant",
      scopes: ["profile", "openid", "profile"],
      displayNameMapping: "OIDC_MAPPING_FIELD_PREFERRED_USERNAME",
      usernameMapping: "OIDC_MAPPING_FIELD_EMAIL",
    },
    event: [
      "oidc.changed",
      {
        clientId: "other",
        issuer: "https://login.example.com/tenant",
        scopes: ["profile", "openid"],
        displayNameMapping: 1,
        usernameMapping: 2,
        clientSecretChanged: true,
      },
    ],
    stored: {
      client_id: "other",
      issuer: "https://login.example.com/tenant",
      scopes: ["profile", "openid"],
      display_name_mapping: 1,
      username_mapping: 2,
    },
    secret: NEW_SECRET,
  },
  {
    title: "keeps the secret if none is given, and sets the rest to defaults",
    rpc: "UpdateIDPOIDCConfig",
    request: { clientId: IDP.clientId, issuer: IDP.issuer },
    event: [
      "oidc.changed",
      { ...START_CONFIG, scopes: [], displayNameMapping: 0, usernameMapping: 0, clientSecretChanged: false },
    ],
    stored: { scopes: [], display_name_mapping: 0, username_mapping: 0 },
  },
  {
    title: "changes the order of the scopes",
    rpc: "UpdateIDPOIDCConfig",
    request: { ...START_CONFIG, scopes: ["email", "openid"], clientSecret: "" },
    event: ["oidc.changed", { ...START_CONFIG, scopes: ["email", "openid"], clientSecretChanged: false }],
    stored: { scopes: ["email", "openid"] },
  },
  {
    title: "counts a given secret as a change, even the stored one",
    rpc: "UpdateIDPOIDCConfig",
    request: { ...START_CONFIG, clientSecret: CLIENT_SECRET },
    event: ["oidc.changed", { ...START_CONFIG, clientSecretChanged: true }],
    stored: {},
  },
  { title: "deactivates", rpc: "DeactivateIDP", event: ["deactivated", {}], stored: { state: "inactive" } },
  {
    title: "reactivates",
    rpc: "ReactivateIDP",
    isInactive: true,
    event: ["reactivated", {}],
    stored: { state: "active" },
  },
];

/** A call without a change: it returns the details of the last event, or fails with IDP_STATE. */
export interface UnchangedCase extends Case {
  readonly state?: string;
}

export const UNCHANGED: readonly UnchangedCase[] = [
  {
    title: "does nothing for the stored settings",
    rpc: "UpdateIDP",
    request: { name: IDP.name, stylingType: 1, autoRegister: true },
  },
  {
    title: "does nothing for the stored configuration",
    rpc: "UpdateIDPOIDCConfig",
    request: { ...START_CONFIG, scopes: ["openid", "email", "openid"] },
  },
  {
    title: "fails for a deactivated provider",
    rpc: "DeactivateIDP",
    isInactive: true,
    state: "IDP_STATE_INACTIVE",
  },
  { title: "fails for an active provider", rpc: "ReactivateIDP", state: "IDP_STATE_ACTIVE" },
];

/** The same values are rejected as by AddOIDCIDP (see oidc-idp.cases.ts). This is one of each kind. */
export const REJECTED: readonly (Case & { readonly fields: readonly string[] })[] = [
  { title: "no name", rpc: "UpdateIDP", request: {}, fields: ["name"] },
  {
    title: "a name that reorders text",
    rpc: "UpdateIDP",
    request: { name: "Example \u202eelpmaxE" },
    fields: ["name"],
  },
  {
    title: "a name that is too long, and an unknown styling",
    rpc: "UpdateIDP",
    request: { name: "x".repeat(201), stylingType: 2 },
    fields: ["name", "stylingType"],
  },
  {
    title: "nothing but the id",
    rpc: "UpdateIDPOIDCConfig",
    request: {},
    fields: ["clientId", "issuer"],
  },
  {
    title: "every field wrong at once",
    rpc: "UpdateIDPOIDCConfig",
    request: {
      clientId: "\0",
      clientSecret: `${CLIENT_SECRET}${"x".repeat(200)}`,
      issuer: "http://accounts.example.com",
      scopes: ["openid", "a\tb"],
      displayNameMapping: 9,
      usernameMapping: 9,
    },
    fields: ["clientId", "clientSecret", "issuer", "scopes[1]", "displayNameMapping", "usernameMapping"],
  },
  {
    title: "more than fifty scopes",
    rpc: "UpdateIDPOIDCConfig",
    request: { clientId: "c", issuer: IDP.issuer, scopes: Array.from({ length: 51 }, (_, n) => `s${n}`) },
    fields: ["scopes"],
  },
];
