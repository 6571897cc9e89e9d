import {
  OIDCAuthMethodType,
  OIDCGrantType,
  OIDCSigningAlgorithm,
  OIDCTokenType,
} from "../../../gen/signet/v1/app_pb.js";
import { Check } from "../../parts/check.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { texts } from "../../state/language.ts";
import { AppForm, type AppPart } from "./app-form.tsx";
import { isPublic } from "./kinds.ts";
import { MachineField } from "./machine-field.tsx";

const NAMES = [
  "grantTypes",
  "authMethodType",
  "jwks",
  "jwksUri",
  "accessTokenType",
  "idTokenUserinfoAssertion",
  "idTokenSignedResponseAlg",
  "apiAccess",
  "serviceUserId",
  "requiresPkce",
  "requiresPar",
  "dpopBoundAccessTokens",
] as const;

const ALGORITHMS = {
  RS256: OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_RS256,
  ES256: OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_ES256,
  EdDSA: OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_EDDSA,
  PS256: OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_PS256,
} as const;

const ALGORITHM_NAMES = Object.keys(ALGORITHMS) as (keyof typeof ALGORITHMS)[];

const METHODS = {
  basic: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC,
  post: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST,
  key: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,
  none: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE,
} as const;

type Method = keyof typeof METHODS;
const METHOD_NAMES = Object.keys(METHODS) as Method[];

const { OIDC_GRANT_TYPE_REFRESH_TOKEN: REFRESH, OIDC_GRANT_TYPE_DEVICE_CODE: DEVICE } = OIDCGrantType;

/** How the application proves who it is, and which tokens it gets. */
export function TokensForm(part: AppPart) {
  const { kind, orgId, permissions } = part;
  const { apps } = texts.value;
  return (
    <AppForm {...part} title={apps.tokens} names={NAMES}>
      {({ values, set }, problem, isReadOnly) => {
        const method = METHOD_NAMES.find((name) => METHODS[name] === values.authMethodType) ?? "basic";
        const isOn = (grant: OIDCGrantType) => values.grantTypes.includes(grant);
        const toggle = (grant: OIDCGrantType) => (on: boolean) =>
          set({ grantTypes: on ? [...values.grantTypes, grant] : values.grantTypes.filter((each) => each !== grant) });
        return (
          <>
            {kind === "service" && (
              <MachineField
                orgId={orgId}
                value={values.serviceUserId}
                onChange={(serviceUserId) => set({ serviceUserId })}
                problem={problem}
                isReadOnly={isReadOnly}
              />
            )}
            {!isPublic(kind) && (
              <Select
                label={apps.authentication}
                value={method}
                options={METHOD_NAMES.filter((name) => name !== "none" || kind === "web").map((name) => ({
                  value: name,
                  label: apps.methods[name],
                }))}
                onChange={(name) =>
                  set({ authMethodType: METHODS[name], ...(name !== "key" && { jwks: "", jwksUri: "" }) })
                }
                isReadOnly={isReadOnly}
              />
            )}
            {method === "key" && (
              <>
                <Field
                  label={apps.jwksUri}
                  hint={apps.jwksHint}
                  value={values.jwksUri}
                  onInput={(jwksUri) => set({ jwksUri })}
                  problem={problem}
                  path="jwksUri"
                  isReadOnly={isReadOnly}
                />
                <Field
                  label={apps.jwks}
                  value={values.jwks}
                  onInput={(jwks) => set({ jwks })}
                  problem={problem}
                  path="jwks"
                  isReadOnly={isReadOnly}
                />
              </>
            )}
            <Select
              label={apps.tokenType}
              value={values.accessTokenType === OIDCTokenType.OIDC_TOKEN_TYPE_JWT ? "jwt" : "opaque"}
              options={(["opaque", "jwt"] as const).map((value) => ({ value, label: apps.tokenTypes[value] }))}
              onChange={(value) =>
                set({
                  accessTokenType:
                    value === "jwt" ? OIDCTokenType.OIDC_TOKEN_TYPE_JWT : OIDCTokenType.OIDC_TOKEN_TYPE_BEARER,
                })
              }
              isReadOnly={isReadOnly}
            />
            {kind !== "service" && (
              <>
                {method !== "none" && (
                  <Check
                    label={apps.pkce}
                    hint={apps.pkceHint}
                    isOn={values.requiresPkce}
                    onChange={(requiresPkce) => set({ requiresPkce })}
                    isReadOnly={isReadOnly}
                  />
                )}
                <Check
                  label={apps.par}
                  hint={apps.parHint}
                  isOn={values.requiresPar}
                  onChange={(requiresPar) => set({ requiresPar })}
                  isReadOnly={isReadOnly}
                />
                <Check
                  label={apps.idTokenClaims}
                  hint={apps.idTokenClaimsHint}
                  isOn={values.idTokenUserinfoAssertion}
                  onChange={(idTokenUserinfoAssertion) => set({ idTokenUserinfoAssertion })}
                  isReadOnly={isReadOnly}
                />
                <Select
                  label={apps.idTokenAlgorithm}
                  value={
                    ALGORITHM_NAMES.find((name) => ALGORITHMS[name] === values.idTokenSignedResponseAlg) ?? "RS256"
                  }
                  options={ALGORITHM_NAMES.map((value) => ({ value, label: value }))}
                  onChange={(name) => set({ idTokenSignedResponseAlg: ALGORITHMS[name] })}
                  isReadOnly={isReadOnly}
                />
                <Check
                  label={apps.refresh}
                  hint={apps.refreshHint}
                  isOn={isOn(REFRESH)}
                  onChange={toggle(REFRESH)}
                  isReadOnly={isReadOnly}
                />
                <Check
                  label={apps.device}
                  hint={apps.deviceHint}
                  isOn={isOn(DEVICE)}
                  onChange={toggle(DEVICE)}
                  isReadOnly={isReadOnly}
                />
              </>
            )}
            <Check
              label={apps.dpop}
              hint={apps.dpopHint}
              isOn={values.dpopBoundAccessTokens}
              onChange={(dpopBoundAccessTokens) => set({ dpopBoundAccessTokens })}
              isReadOnly={isReadOnly}
            />
            <Check
              label={apps.apiAccess}
              hint={apps.apiAccessHint}
              isOn={values.apiAccess}
              onChange={(apiAccess) => set({ apiAccess })}
              isReadOnly={isReadOnly || !permissions.can("org.member.write")}
            />
          </>
        );
      }}
    </AppForm>
  );
}
