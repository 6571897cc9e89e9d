import { generateKeyPairSync } from "node:crypto";
import { interactionPolicy, Provider } from "oidc-provider";

/**
 * Each of these parts of oidc-provider has no hook and is replaced by ours. If a new version changes one, the patch has to
 * be checked, and then this text changed.
 */
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const provider = new Provider("https://id.example.com", {
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" } as never] },
  cookies: { keys: ["test"] },
  features: { devInteractions: { enabled: false } },
});

const source = (method: unknown) => String(method).replaceAll(/\s+/g, " ");

test("the secret of a client is compared in one method, whose result decides (announce-proofs.ts)", () => {
  expect(source((provider.Client.prototype as never as Record<string, unknown>).compareClientSecret)).toBe(
    "compareClientSecret(actual) { return constantEquals(this.clientSecret, actual, 1000); }",
  );
});

test("the end of a session is awaited (end-session.ts)", () => {
  expect(source(provider.Session.prototype.destroy)).toBe(
    "async destroy() { await super.destroy(); this.destroyed = true; }",
  );
});

test("the properties that a session keeps are in a list (session-details.ts)", () => {
  const { IN_PAYLOAD } = provider.Session as unknown as { IN_PAYLOAD: string[] };
  expect(IN_PAYLOAD).toEqual([
    ...["iat", "exp", "jti", "kind"],
    ...["uid", "acr", "amr", "accountId", "loginTs", "transient", "state", "authorizations"],
  ]);
});

test("a token gets its id from one method (access-token-format.ts, refresh-tokens.ts)", () => {
  const { AccessToken, RefreshToken } = provider as unknown as Record<string, { prototype: Record<string, unknown> }>;
  expect(source(AccessToken?.prototype.generateTokenId)).toBe(
    "generateTokenId() { return generateTokenId(provider, this); }",
  );
  expect(source(RefreshToken?.prototype.generateTokenId)).toBe(
    "generateTokenId() { return opaque.generateTokenId(provider, this); }",
  );
});

test("the claims of an ID token are selected by its scope in one method (id-token-claims.ts)", () => {
  const { IdToken } = provider as unknown as { IdToken: { prototype: Record<string, unknown> } };
  expect(source(IdToken.prototype.payload)).toContain("mask.scope(this.scope);");
});

test("a client is notified with a logout token by one method (back-channel-logout.ts)", () => {
  const { backchannelLogout } = provider.Client.prototype as never as Record<string, unknown>;
  expect(source(backchannelLogout)).toMatch(
    /^async backchannelLogout\(sub, sid\) \{ const logoutToken = new provider\.IdToken\(\{ sub \}, \{ client: this, ctx: undefined \}\); logoutToken\.mask = \{ sub: null \};/,
  );
  expect(source(backchannelLogout)).toContain("logoutToken.issue({ use: 'logout' })");
});

test("the claims of a request are selected by one method (present-subjects.ts)", () => {
  const { Claims } = provider as unknown as { Claims: { prototype: Record<string, unknown> } };
  const text = source(Claims.prototype.result);
  expect(text).toMatch(/^async result\(\) \{ const \{ available \} = this;/);
  expect(text).toMatch(/return claims; \}$/);
});

test("two conditions compare the `sub` of an application with the account's id (present-subjects.ts)", () => {
  const checks = interactionPolicy.base().get("login")?.checks ?? [];
  const comparing = checks.filter((check) => String(check.check).includes("accountId"));
  expect(comparing.map(({ reason }) => reason)).toEqual([
    "no_session",
    "max_age",
    "id_token_hint",
    "claims_id_token_sub_value",
  ]);
});

test("the context of the current request is a property of the class (present-subjects.ts)", () => {
  expect(Object.getOwnPropertyDescriptor(Provider, "ctx")).toMatchObject({ get: expect.any(Function) });
});
