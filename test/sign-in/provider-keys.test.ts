import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { createOutboundFetch } from "../../src/outbound/outbound-fetch.ts";
import { createKeyReloads, createProviderKeys } from "../../src/sign-in/provider/provider-keys.ts";

const SECOND = 1_000;

const fetch = createOutboundFetch({ allowsPrivate: true, timeoutMs: 5_000, maxBodyBytes: 65_536 });
const signers = new Map<string, { key: CryptoKey; jwk: JWK }>();

let server: Server;
let jwksUri: string;
/** The ids of the published keys. */
let published: string[];
let status: number;
let requests: number;
let now: number;
beforeAll(async () => {
  for (const kid of ["old", "new"]) {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    signers.set(kid, { key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid } });
  }
  server = createServer((_, response) => {
    requests++;
    const keys = published.map((kid) => signers.get(kid)?.jwk);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
});
afterAll(() => void server.close());
beforeEach(() => {
  published = ["old"];
  status = 200;
  requests = 0;
  now = 1_800_000_000_000;
});

const clock = () => new Date(now);
const createKeys = (mayReload = () => true) => createProviderKeys({ fetch, jwksUri, clock, mayReload });
const sign = (kid: string) => {
  const signer = signers.get(kid);
  if (signer === undefined) throw new Error("there is no such key");
  return new SignJWT({ kid }).setProtectedHeader({ alg: "ES256", kid }).sign(signer.key);
};
const UNKNOWN = "no applicable key found in the JSON Web Key Set";

test("an unknown key causes one more request, immediately", async () => {
  const keys = createKeys();
  expect(await keys.verify(await sign("old"))).toEqual({ kid: "old" });
  published = ["new"];
  expect(await keys.verify(await sign("new"))).toEqual({ kid: "new" });
  expect(await keys.verify(await sign("new"))).toEqual({ kid: "new" });
  expect(requests).toBe(2);
});

test("unknown keys cause one request in five seconds, also at the same time", async () => {
  const keys = createKeys();
  await keys.verify(await sign("old"));
  const jwt = await sign("new");
  const refused = Array.from({ length: 10 }, () => expect(keys.verify(jwt)).rejects.toThrow(UNKNOWN));
  await Promise.all(refused);
  now += 5 * SECOND - 1;
  await expect(keys.verify(jwt)).rejects.toThrow(UNKNOWN);
  expect(requests).toBe(2);
  published = ["old", "new"];
  now += 1;
  expect(await Promise.all([keys.verify(jwt), keys.verify(jwt)])).toEqual([{ kid: "new" }, { kid: "new" }]);
  expect(requests).toBe(3);
});

test("a failed request keeps the known keys", async () => {
  const keys = createKeys();
  await keys.verify(await sign("old"));
  status = 503;
  const reason = `jwks_uri: ${jwksUri} responds with status 503 instead of 200`;
  await expect(keys.verify(await sign("new"))).rejects.toThrow(reason);
  expect(await keys.verify(await sign("old"))).toEqual({ kid: "old" });
  expect(requests).toBe(2);
});

test("known keys are loaded again after five minutes, so that withdrawn ones end", async () => {
  const keys = createKeys();
  await keys.verify(await sign("old"));
  published = ["new"];
  now += 300 * SECOND;
  await expect(keys.verify(await sign("old"))).rejects.toThrow(UNKNOWN);
});

test("the providers of an owner share a number of requests for unknown keys", async () => {
  const reloads = createKeyReloads(clock);
  const jwt = await sign("new");
  const refuse = async (owner: string) => {
    const keys = createKeys(() => reloads.spend(owner));
    await expect(keys.verify(jwt)).rejects.toThrow(UNKNOWN);
  };
  for (let provider = 0; provider < 30; provider++) await refuse("hostile");
  expect(requests).toBe(30 + 24);
  await refuse("other");
  expect(requests).toBe(30 + 24 + 2);
  now += 60 * SECOND;
  await refuse("hostile");
  expect(requests).toBe(30 + 24 + 2 + 2);
});
