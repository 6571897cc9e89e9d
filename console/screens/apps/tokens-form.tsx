import {
  OIDCAuthMethodType,
  OIDCGrantType,
  OIDCSigningAlgorithm,
  OIDCTokenType,
} from "../../../gen/signet/v1/app_pb.js";
import { Check, Choices, Field, Select } from "../../parts/field.tsx";
import { texts } from "../../state/language.ts";
import { namesOf } from "../../state/tables.ts";
import { type Bound, type Form, named } from "../../state/use-form.ts";
import { AppForm, type AppPart, type AppValues, MachineField } from "./app-form.tsx";
import { isPublic, type Kind } from "./kinds.ts";

const NAMES = [
  ...(["grantTypes", "authMethodType", "jwks", "jwksUri", "accessTokenType", "idTokenUserinfoAssertion"] as const),
  ...(["idTokenSignedResponseAlg", "apiAccess", "serviceUserId", "requiresPkce", "requiresPar"] as const),
  "dpopBoundAccessTokens" as const,
];

type TokensPart = { readonly kind: Kind; readonly form: Form<Pick<AppValues, (typeof NAMES)[number]>> };

const ALGORITHMS = {
  RS256: OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_RS256,
  ES256: OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_ES256,
  EdDSA: OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_EDDSA,
  PS256: OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_PS256,
} as const;

const METHODS = {
  basic: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC,
  post: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST,
  key: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,
  none: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE,
} as const;

const TOKEN_TYPES = { opaque: OIDCTokenType.OIDC_TOKEN_TYPE_BEARER, jwt: OIDCTokenType.OIDC_TOKEN_TYPE_JWT } as const;

const { OIDC_GRANT_TYPE_REFRESH_TOKEN: REFRESH, OIDC_GRANT_TYPE_DEVICE_CODE: DEVICE } = OIDCGrantType;

/** How the application proves who it is, and which tokens it gets. */
export function TokensForm(part: AppPart) {
  const { kind, orgId, permissions } = part;
  const { apps } = texts.value;
  return (
    <AppForm {...part} title={apps.tokens} names={NAMES}>
      {(form) => (
        <>
          {kind === "service" && <MachineField orgId={orgId} {...form.field("serviceUserId")} />}
          <MethodFields kind={kind} form={form} />
          <Choices
            label={apps.tokenType}
            options={namesOf(TOKEN_TYPES).map((value) => ({ value, ...apps.tokenTypes[value] }))}
            {...named(form.field("accessTokenType"), TOKEN_TYPES, "opaque")}
          />
          {kind !== "service" && <SignInFields kind={kind} form={form} />}
          <Check label={apps.dpop} hint={apps.dpopHint} {...form.field("dpopBoundAccessTokens")} />
          <Check
            label={apps.apiAccess}
            hint={apps.apiAccessHint}
            {...form.field("apiAccess")}
            isReadOnly={form.isReadOnly || !permissions.can("org.member.write")}
          />
        </>
      )}
    </AppForm>
  );
}

function MethodFields({ kind, form }: TokensPart) {
  const { apps } = texts.value;
  const method = named(form.field("authMethodType"), METHODS, "basic");
  const names = namesOf(METHODS).filter((name) => name !== "none" || kind === "web");
  return (
    <>
      {!isPublic(kind) && (
        <Select
          label={apps.authentication}
          options={names.map((name) => [name, apps.methods[name]])}
          {...method}
          onInput={(name) => {
            method.onInput(name);
            if (name !== "key") form.set({ jwks: "", jwksUri: "" });
          }}
        />
      )}
      {method.value === "key" && (
        <>
          <Field label={apps.jwksUri} hint={apps.jwksHint} {...form.field("jwksUri")} />
          <Field label={apps.jwks} {...form.field("jwks")} />
        </>
      )}
    </>
  );
}

/** The settings of applications to which users sign in. */
function SignInFields({ form }: TokensPart) {
  const { apps } = texts.value;
  const mayLackPkce = form.values.authMethodType !== METHODS.none;
  return (
    <>
      {mayLackPkce && <Check label={apps.pkce} hint={apps.pkceHint} {...form.field("requiresPkce")} />}
      <Check label={apps.par} hint={apps.parHint} {...form.field("requiresPar")} />
      <Check label={apps.idTokenClaims} hint={apps.idTokenClaimsHint} {...form.field("idTokenUserinfoAssertion")} />
      <Select
        label={apps.idTokenAlgorithm}
        options={namesOf(ALGORITHMS).map((name) => [name, name])}
        {...named(form.field("idTokenSignedResponseAlg"), ALGORITHMS, "RS256")}
      />
      <Check label={apps.refresh} hint={apps.refreshHint} {...member(form.field("grantTypes"), REFRESH)} />
      <Check label={apps.device} hint={apps.deviceHint} {...member(form.field("grantTypes"), DEVICE)} />
    </>
  );
}

function member<T>({ value, onInput, ...bound }: Bound<T[]>, item: T): Bound<boolean> {
  const others = value.filter((each) => each !== item);
  return { ...bound, value: value.includes(item), onInput: (isOn) => onInput(isOn ? [...value, item] : others) };
}
