import { readFileSync } from "node:fs";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import * as client from "openid-client";
import { PATHS, ROUTES } from "../../src/oidc/routes.ts";
import { call, importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import {
  createRelyingParty,
  createRequest,
  keepSecret,
  newBrowser,
  REDIRECT_URI,
  type RelyingParty,
  redeem,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

let service: TestService;
let app: RelyingParty;
let userId: string;
/** A browser in which the user is signed in. */
let browser: ReturnType<typeof newBrowser>;
let metadata: Record<string, unknown>;

beforeAll(async () => {
  const standard = ["middle_name", "profile", "picture", "website", "birthdate", "zoneinfo", "address"];
  ({ service } = await startProvider("postgres"));
  app = await createRelyingParty(service, {
    ...{ api_access: true, roles: ["editor"], metadata_claims: ["plan"] },
    back_channel_logout_uri: "https://app.example.com/back-channel",
  });
  userId = await importAda(service, {
    profile: {
      ...{ firstName: "Ada", lastName: "Lovelace", nickName: "Countess", gender: "GENDER_FEMALE" },
      preferredLanguage: "en-GB",
    },
    ...VERIFIED,
    phone: { phone: "+41 79 123 45 67", isPhoneVerified: true },
  });
  const values = { middle_name: "King", birthdate: "1815-12-10", zoneinfo: "Europe/London", address: "London" };
  await call(service, "BulkSetUserMetadata", {
    id: userId,
    metadata: standard.map((key) => {
      const text = values[key as keyof typeof values] ?? "https://ada.example.com/";
      return { key, value: Buffer.from(text).toString("base64") };
    }),
  });
  await call(service, "AddUserAppRoles", { userId, appId: app.id, roles: ["editor"] });
  browser = newBrowser(service);
  await signInAndRedeem(service, browser, app, userId);
  const response = await fetch(`${service.origin}/.well-known/openid-configuration`);
  metadata = (await response.json()) as Record<string, unknown>;
});
afterAll(() => service?.close());

/** A request that shows that a value works. */
type Proof = () => unknown;

/** A test elsewhere that shows it, by a part of its title or table. */
const shownBy = (file: string, text: string): Proof => {
  return () => expect(readFileSync(new URL(file, import.meta.url), "utf8")).toContain(text);
};

const each = (values: readonly string[], prove: (value: string) => unknown): Record<string, Proof> =>
  Object.fromEntries(values.map((value) => [value, () => prove(value)]));

const getTokens = (parameters: Record<string, string> = {}, party = app) =>
  signInAndRedeem(service, browser, party, userId, parameters);

/** Opens an authorization request, and returns the parameters of the response. */
async function answerTo(parameters: Record<string, string>): Promise<URLSearchParams> {
  const { search, hash } = await signIn(service, browser, createRequest(app, parameters).url, userId);
  return new URLSearchParams(hash === "" ? search : hash.slice(1));
}

let allClaims: Promise<Record<string, unknown>> | undefined;
/** The claims of a request for all of them, in the ID token and in the response of userinfo. */
function getClaims(): Promise<Record<string, unknown>> {
  const read = async () => {
    const names = metadata.claims_supported as string[];
    const requested = Object.fromEntries(names.map((name) => [name, null]));
    const claims = JSON.stringify({ id_token: requested, userinfo: requested });
    const tokens = await getTokens({ claims });
    const userinfo = await client.fetchUserInfo(app.configuration, tokens.access_token, userId);
    return { ...userinfo, ...tokens.claims() };
  };
  allClaims ??= read();
  return allClaims;
}

const CLAIMS_OF_SCOPES = {
  openid: "sub",
  profile: "name",
  email: "email",
  phone: "phone_number",
  address: "address",
} as const;

async function proveScope(scope: keyof typeof CLAIMS_OF_SCOPES): Promise<void> {
  const tokens = await getTokens({ scope: `openid ${scope}` });
  expect(tokens.scope?.split(" ")).toContain(scope);
  const userinfo = await client.fetchUserInfo(app.configuration, tokens.access_token, userId);
  expect(userinfo).toHaveProperty(CLAIMS_OF_SCOPES[scope]);
}

/** The method of applications, in the table `apps`. */
const METHODS = { client_secret_basic: "basic", client_secret_post: "post", none: "none" } as const;
const SIGNED = shownBy("private-key-jwt.wire.test.ts", '"signs in with %s"');

function createPartyWith(method: string): Promise<RelyingParty> {
  const auth_method = METHODS[method as keyof typeof METHODS];
  return createRelyingParty(service, { auth_method }, auth_method === "post" ? client.ClientSecretPost : undefined);
}

const AUTHENTICATED_TOKENS: Record<string, Proof> = {
  ...each(Object.keys(METHODS), async (method) => {
    const tokens = await getTokens({}, await createPartyWith(method));
    expect(tokens.claims()).toMatchObject({ sub: userId });
  }),
  private_key_jwt: SIGNED,
};

/** Introspects a token, revokes it, and introspects it again. */
const AUTHENTICATED_CHECKS: Record<string, Proof> = {
  ...each(Object.keys(METHODS), async (method) => {
    const party = await createPartyWith(method);
    const { access_token } = await getTokens({}, party);
    const isActive = async () => (await client.tokenIntrospection(party.configuration, access_token)).active;
    expect(await isActive()).toBe(true);
    await client.tokenRevocation(party.configuration, access_token);
    expect(await isActive()).toBe(false);
  }),
  private_key_jwt: SIGNED,
};

const ALGORITHMS = each(["RS256", "PS256", "ES256", "Ed25519", "EdDSA"], (algorithm) => {
  shownBy("private-key-jwt.wire.test.ts", `"${algorithm}"`)();
  SIGNED();
});

const authorizes = async () => expect((await answerTo({})).has("code")).toBe(true);
const getsTokens = async () => expect((await getTokens()).token_type).toBe("bearer");

/** Each key of the metadata, and what shows that it is true; for a list or a boolean, by its values. */
/** Pushes a request with a DPoP proof (RFC 9449, section 10.1). */
async function pushWithProof(alg: string): Promise<void> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const htu = `${service.config.publicUrl}${ROUTES.pushed_authorization_request}`;
  const dpop = await new SignJWT({ jti: alg, htm: "POST", htu, iat: Math.floor(Date.now() / 1_000) })
    .setProtectedHeader({ alg, typ: "dpop+jwt", jwk: await exportJWK(publicKey) })
    .sign(privateKey);
  const open = await createPartyWith("none");
  const body = createRequest(open).url.searchParams;
  const url = service.origin + ROUTES.pushed_authorization_request;
  expect((await fetch(url, { method: "POST", headers: { dpop }, body })).status).toBe(201);
}

/** Sends a signed request (RFC 9101). */
async function sendSigned(alg: string): Promise<void> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg, kid: alg }] });
  const config = { authMethod: "private_key_jwt" as const, redirectUris: [REDIRECT_URI], jwks };
  const { appId: clientId } = await createTestApp(service, service.orgId, config);
  const claims = Object.fromEntries(createRequest(app, { client_id: clientId }).url.searchParams);
  const request = await new SignJWT({ ...claims, iss: clientId, aud: service.config.publicUrl })
    .setProtectedHeader({ alg, kid: alg })
    .sign(privateKey);
  const url = new URL(createRequest(app).url);
  url.search = String(new URLSearchParams({ client_id: clientId, request }));
  expect((await signIn(service, browser, url, userId)).searchParams.has("code")).toBe(true);
}

const PROOFS: Record<string, Proof | Record<string, Proof>> = {
  issuer: async () => expect((await getTokens()).claims()?.iss).toBe(metadata.issuer),
  authorization_endpoint: authorizes,
  token_endpoint: getsTokens,
  // openid-client verifies the ID token with the keys.
  jwks_uri: getsTokens,
  userinfo_endpoint: () => proveScope("openid"),
  introspection_endpoint: () => AUTHENTICATED_CHECKS.client_secret_basic?.(),
  revocation_endpoint: () => AUTHENTICATED_CHECKS.client_secret_basic?.(),
  end_session_endpoint: shownBy("logout.wire.test.ts", "signs out immediately"),
  pushed_authorization_request_endpoint: shownBy("pushed-requests.wire.test.ts", "signs in with a pushed request"),
  device_authorization_endpoint: shownBy("device.wire.test.ts", "a device signs in with a code"),

  acr_values_supported: {
    "urn:signet:acr:1": async () => {
      const tokens = await getTokens({ acr_values: "urn:signet:acr:1" });
      expect(tokens.claims()?.acr).toBe("urn:signet:acr:1");
    },
    "urn:signet:acr:2": shownBy("acr.wire.test.ts", "a session with one factor is asked for the second only"),
  },
  authorization_response_iss_parameter_supported: {
    true: async () => {
      const answers = [await answerTo({}), await answerTo({ prompt: "none", id_token_hint: "forged" })];
      expect(answers.map((answer) => answer.has("error"))).toEqual([false, true]);
      for (const answer of answers) expect(answer.get("iss")).toBe(metadata.issuer);
    },
  },
  backchannel_logout_supported: { true: shownBy("logout.wire.test.ts", "applications are notified of a sign-out") },
  backchannel_logout_session_supported: {
    true: shownBy("logout.wire.test.ts", "a notified application contain its session id"),
  },
  claim_types_supported: {
    normal: async () => expect(await getClaims()).not.toHaveProperty("_claim_names"),
  },
  claims_parameter_supported: { true: async () => expect((await getClaims()).email).toBe("ada@example.com") },
  claims_supported: each(
    [
      ...["sub", "iss", "sid", "auth_time", "acr", "amr", "roles", "metadata", "updated_at", "locale", "zoneinfo"],
      ...["name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "gender", "birthdate"],
      ...["profile", "picture", "website", "email", "email_verified", "phone_number", "phone_number_verified"],
      "address",
    ],
    async (name) => expect((await getClaims())[name] ?? "nothing").not.toBe("nothing"),
  ),
  code_challenge_methods_supported: each(["S256"], async (code_challenge_method) =>
    expect((await getTokens({ code_challenge_method })).claims()?.sub).toBe(userId),
  ),
  dpop_signing_alg_values_supported: each(["ES256", "Ed25519", "EdDSA"], pushWithProof),
  grant_types_supported: {
    authorization_code: getsTokens,
    refresh_token: async () => {
      const { refresh_token = "" } = await getTokens({ scope: "openid offline_access" });
      const tokens = await client.refreshTokenGrant(app.configuration, refresh_token);
      keepSecret(service, tokens);
      expect(tokens.claims()?.sub).toBe(userId);
    },
    client_credentials: shownBy("service-tokens.wire.test.ts", "give a token of the machine user"),
    "urn:ietf:params:oauth:grant-type:device_code": shownBy("device.wire.test.ts", "a device signs in with a code"),
  },
  id_token_signing_alg_values_supported: each(
    ["RS256", "ES256", "EdDSA", "PS256"],
    shownBy("id-token-algorithms.wire.test.ts", "test.each(SIGNING_ALGORITHMS)"),
  ),
  introspection_endpoint_auth_methods_supported: AUTHENTICATED_CHECKS,
  introspection_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  prompt_values_supported: {
    none: async () => expect((await answerTo({ prompt: "none" })).has("code")).toBe(true),
    consent: async () => expect((await answerTo({ prompt: "consent" })).has("code")).toBe(true),
    ...each(["login", "select_account"], async (prompt) => {
      const { location } = await browser.open(createRequest(app, { prompt }).url.href);
      expect(location).toMatch(/^\/ui\/sign-in\//);
    }),
  },
  request_object_signing_alg_values_supported: each(["RS256", "PS256", "ES256", "Ed25519", "EdDSA"], sendSigned),
  request_parameter_supported: { true: () => sendSigned("ES256") },
  request_uri_parameter_supported: { false: shownBy("authorize.wire.test.ts", '"a request_uri"') },
  response_modes_supported: {
    query: async () => {
      const { search, hash } = await signIn(service, browser, createRequest(app).url, userId);
      expect([search.includes("code="), hash]).toEqual([true, ""]);
    },
    fragment: async () => {
      const request = createRequest(app, { response_mode: "fragment" });
      const { search, hash } = await signIn(service, browser, request.url, userId);
      const callback = new URL(`${REDIRECT_URI}?${hash.slice(1)}`);
      expect([search, (await redeem(service, app, callback, request)).token_type]).toEqual(["", "bearer"]);
    },
    form_post: async () => {
      const { text } = await browser.open(createRequest(app, { response_mode: "form_post" }).url.href);
      expect(text).toContain(`action="${REDIRECT_URI}"`);
      expect(text).toContain('name="code"');
    },
  },
  response_types_supported: each(["code"], authorizes),
  revocation_endpoint_auth_methods_supported: AUTHENTICATED_CHECKS,
  revocation_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  scopes_supported: {
    ...each(Object.keys(CLAIMS_OF_SCOPES), (scope) => proveScope(scope as keyof typeof CLAIMS_OF_SCOPES)),
    offline_access: async () =>
      expect((await getTokens({ scope: "openid offline_access" })).refresh_token).toEqual(expect.any(String)),
    "urn:signet:api": shownBy("api-access.wire.test.ts", "carries the roles of its user"),
  },
  subject_types_supported: {
    public: async () => {
      const other = await createRelyingParty(service);
      expect((await getTokens({}, other)).claims()?.sub).toBe((await getTokens()).claims()?.sub);
    },
  },
  token_endpoint_auth_methods_supported: AUTHENTICATED_TOKENS,
  token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  ui_locales_supported: each(["en", "de", "fr", "es"], async (ui_locales) => {
    const visitor = newBrowser(service);
    const { location } = await visitor.open(createRequest(app, { ui_locales }).url.href);
    expect((await visitor.open(location)).text).toContain(`<html lang="${ui_locales}"`);
  }),
};

const ROWS = Object.entries(PROOFS).flatMap(([key, proof]): [string, Proof][] =>
  typeof proof === "function"
    ? [[key, proof]]
    : Object.entries(proof).map(([value, each]) => [`${key}: ${value}`, each]),
);

test("each value of the metadata has a proof, and each proof is of a value", () => {
  const stated = Object.entries(metadata).flatMap(([key, value]) =>
    typeof value === "string" ? key : [value].flat().map((each) => `${key}: ${each}`),
  );
  expect(stated.sort()).toEqual(ROWS.map(([title]) => title).sort());
});

test.each(ROWS)("%s", async (_title, prove) => {
  await prove();
});

test("the metadata of OAuth (RFC 8414) is the same", async () => {
  const response = await fetch(`${service.origin}/.well-known/oauth-authorization-server`);
  expect(await response.json()).toEqual(metadata);
});

/** Values that are registered with IANA or defined by OpenID specifications. */
const REGISTERED: Record<string, { values: string[]; errorOf: (value: string) => Promise<unknown> }> = {
  prompt_values_supported: {
    values: ["none", "login", "consent", "select_account", "create"],
    errorOf: async (prompt) => (await answerTo({ prompt })).get("error"),
  },
  response_types_supported: {
    values: [
      ...["code", "code id_token", "code id_token token", "code token"],
      ...["id_token", "id_token token", "none", "token"],
    ],
    errorOf: async (response_type) => (await answerTo({ response_type })).get("error"),
  },
  response_modes_supported: {
    values: [
      ...["query", "fragment", "form_post", "web_message", "jwt"],
      ...["query.jwt", "fragment.jwt", "form_post.jwt", "web_message.jwt"],
    ],
    errorOf: async (response_mode) => (await answerTo({ response_mode })).get("error"),
  },
  code_challenge_methods_supported: {
    values: ["plain", "S256"],
    errorOf: async (code_challenge_method) => (await answerTo({ code_challenge_method })).get("error"),
  },
  grant_types_supported: {
    values: [
      ...["authorization_code", "refresh_token", "client_credentials", "implicit", "password"],
      ...["device_code", "jwt-bearer", "saml2-bearer", "token-exchange"].map(
        (name) => `urn:ietf:params:oauth:grant-type:${name}`,
      ),
      "urn:openid:params:grant-type:ciba",
    ],
    errorOf: async (grant) => {
      const asked = client.genericGrantRequest(app.configuration, grant, { scope: "openid", assertion: "a" });
      return (await asked.then(() => ({ error: undefined })).catch((error) => error)).error;
    },
  },
};

const ERRORS = new Set([
  ...["invalid_request", "unsupported_response_type", "unsupported_response_mode", "unsupported_grant_type"],
]);

test.each(Object.entries(REGISTERED))("values that %s does not have are refused", async (key, { values, errorOf }) => {
  const listed = metadata[key] as string[];
  const unlisted = values.filter((value) => !listed.includes(value));
  expect(unlisted.length).toBeGreaterThan(0);
  for (const value of unlisted) {
    const error = await errorOf(value);
    expect([value, error, ERRORS.has(String(error))]).toEqual([value, error, true]);
  }
});

test("a secret is not accepted as the key of a JWT (client_secret_jwt)", async () => {
  const party = await createRelyingParty(service, {}, client.ClientSecretJwt);
  await expect(client.tokenIntrospection(party.configuration, "unknown")).rejects.toMatchObject({
    error: "invalid_client",
  });
});

test("there are no other claims, besides those of each token", async () => {
  const own = ["aud", "exp", "iat", "nonce", "at_hash"];
  const listed = new Set([...(metadata.claims_supported as string[]), ...own]);
  expect(Object.keys(await getClaims()).filter((name) => !listed.has(name))).toEqual([]);
});

test("there are no other endpoints, besides the pages to which they lead", () => {
  const listed = Object.values(metadata).flatMap((value) => URL.parse(String(value))?.pathname ?? []);
  const others = PATHS.filter((path) => !path.startsWith("/.well-known/") && !listed.includes(path));
  expect(others).toEqual([
    `${ROUTES.authorization}/`,
    ROUTES.code_verification,
    `${ROUTES.code_verification}/`,
    `${ROUTES.end_session}/confirm`,
    `${ROUTES.end_session}/success`,
  ]);
});
