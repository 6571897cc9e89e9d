import { OIDCAppType, OIDCAuthMethodType, OIDCGrantType } from "../../../gen/signet/v1/app_pb.js";
import { namesOf } from "../../state/tables.ts";

const { OIDC_GRANT_TYPE_AUTHORIZATION_CODE: CODE, OIDC_GRANT_TYPE_REFRESH_TOKEN: REFRESH } = OIDCGrantType;
const { OIDC_AUTH_METHOD_TYPE_BASIC: BASIC, OIDC_AUTH_METHOD_TYPE_NONE: NONE } = OIDCAuthMethodType;

/** Where an application runs, with what a new one gets, as with `signet app create`. */
export const KINDS = {
  web: { appType: OIDCAppType.OIDC_APP_TYPE_WEB, authMethodType: BASIC, grantTypes: [CODE, REFRESH] },
  browser: { appType: OIDCAppType.OIDC_APP_TYPE_USER_AGENT, authMethodType: NONE, grantTypes: [CODE, REFRESH] },
  native: {
    appType: OIDCAppType.OIDC_APP_TYPE_NATIVE,
    authMethodType: NONE,
    grantTypes: [CODE, REFRESH, OIDCGrantType.OIDC_GRANT_TYPE_DEVICE_CODE],
  },
  service: {
    appType: OIDCAppType.OIDC_APP_TYPE_SERVICE,
    authMethodType: BASIC,
    grantTypes: [OIDCGrantType.OIDC_GRANT_TYPE_CLIENT_CREDENTIALS],
  },
} as const;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = namesOf(KINDS);

export function kindOf(appType: OIDCAppType | undefined): Kind {
  return KIND_NAMES.find((kind) => KINDS[kind].appType === appType) ?? "web";
}

/** Whether an application of the kind has no secret, because it runs where others can read it. */
export function isPublic(kind: Kind): boolean {
  return kind === "browser" || kind === "native";
}
