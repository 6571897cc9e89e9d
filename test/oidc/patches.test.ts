import { createHash, generateKeyPairSync } from "node:crypto";
import { interactionPolicy, Provider } from "oidc-provider";
import { patchProvider } from "../../src/oidc/patches.ts";

/** The methods of oidc-provider that ours replace, with hashes of their source. */
const REPLACED: Readonly<Record<string, string>> = {
  "AccessToken.prototype.generateTokenId": "76314702bd667574",
  "Claims.prototype.result": "fb2be5991cbee5fa",
  "Client.prototype.backchannelLogout": "e6be45d175e819b1",
  "Client.prototype.compareClientSecret": "e9950d6443595167",
  "ClientCredentials.prototype.generateTokenId": "76314702bd667574",
  "IdToken.prototype.payload": "21d6274f21906ebb",
  "IdToken.validate": "e1f05d1b8fa22ae7",
  "RefreshToken.prototype.generateTokenId": "7c129bfb167d37a8",
  "Session.IN_PAYLOAD": "b47eddf991efe630",
  "Session.prototype.destroy": "7bac0cf9cb2cc2d8",
};

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const jwk = { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" };

function createLibrary(): Provider {
  return new Provider("https://id.example.com", {
    jwks: { keys: [jwk as never] },
    cookies: { keys: ["test"] },
    features: { devInteractions: { enabled: false } },
  });
}

/** By name, the source of each method and static method of the models, with those that they inherit. */
function sourcesOf(provider: Provider): Record<string, string> {
  const sources: Record<string, string> = {};
  for (const name of Object.getOwnPropertyNames(provider.constructor.prototype)) {
    if (!/^[A-Z]/.test(name)) continue;
    const model = (provider as unknown as Record<string, { prototype: object }>)[name] as { prototype: object };
    collect(name, model, sources);
    collect(`${name}.prototype`, model.prototype, sources);
  }
  return sources;
}

function collect(name: string, object: object, sources: Record<string, string>): void {
  for (let own = object; own !== null && own !== Function.prototype; own = Object.getPrototypeOf(own)) {
    for (const [key, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(own))) {
      sources[`${name}.${key}`] ??= String(value ?? get).replaceAll(/\s+/g, " ");
    }
  }
}

test("ours replace these methods of oidc-provider, as they were when the reasons were checked", () => {
  const patched = createLibrary();
  patchProvider(patched, { issuer: patched.issuer, signingKeys: [jwk], clock: () => new Date() } as never);
  const [before, after] = [sourcesOf(createLibrary()), sourcesOf(patched)];
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  const hash = (name: string) =>
    createHash("sha256")
      .update(before[name] ?? "")
      .digest("hex")
      .slice(0, 16);
  expect(Object.fromEntries(changed.map((name) => [name, hash(name)]))).toEqual(REPLACED);
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
