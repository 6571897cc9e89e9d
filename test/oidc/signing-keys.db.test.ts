import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { KEYED_COLUMNS } from "../../src/cli/rotate-keys.ts";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { registerKeys } from "../../src/crypto/register-keys.ts";
import { rotateKeys } from "../../src/crypto/rotate-keys.ts";
import { setUpInstance } from "../../src/instance/set-up-instance.ts";
import {
  ensureSigningKeys,
  readSigningKeys,
  rotateSigningKeys,
  SIGNING_ALGORITHMS,
} from "../../src/oidc/signing-keys.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createTestDatabase } from "../support/databases/database.ts";
import { createRelyingParty, newBrowser, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
});
afterAll(() => service.close());

const clock = () => new Date(Date.now() + service.clockOffsetMs);
const parts = () => ({ db: service.db, keyring: service.keyring, clock });

async function publishedKids(): Promise<string[]> {
  const { keys } = (await (await fetch(`${service.origin}/oauth/v2/keys`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid).sort();
}

test("processes that start together create one key for each algorithm", async () => {
  for (let round = 0; round < 5; round++) {
    await service.db.deleteFrom("signing_keys").execute();
    await Promise.all(Array.from({ length: 8 }, () => ensureSigningKeys(parts())));
    const keys = await readSigningKeys(parts());
    expect(keys.map(({ alg }) => alg).sort()).toEqual([...SIGNING_ALGORITHMS].sort());
  }
});

test("a rotated key is published immediately, signs after ten minutes, and leaves tokens valid", async () => {
  const app = await createRelyingParty(service);
  const userId = await importAda(service, VERIFIED);
  const browser = newBrowser(service);
  const before = await signInAndRedeem(service, browser, app, userId);
  const oldKids = await publishedKids();

  await rotateSigningKeys(parts());
  service.clockOffsetMs = MINUTE_MS;
  const kids = await publishedKids();
  expect(kids).toHaveLength(8);
  expect(kids).toEqual(expect.arrayContaining(oldKids));
  expect(oldKids).toContain(kidOf(await idTokenNow(browser, userId)));

  service.clockOffsetMs = 11 * MINUTE_MS;
  const renewed = await idTokenNow(browser, userId);
  expect(oldKids).not.toContain(kidOf(renewed));
  const jwks = createLocalJWKSet((await (await fetch(`${service.origin}/oauth/v2/keys`)).json()) as JSONWebKeySet);
  for (const token of [String(before.id_token), renewed]) {
    await jwtVerify(token, jwks, { issuer: service.config.publicUrl });
  }
  service.clockOffsetMs = 0;
});

test("a key is deleted when no session can have a token that it signed", async () => {
  const first = (await readSigningKeys(parts())).map(({ kid }) => kid);
  service.clockOffsetMs = 20 * DAY_MS;
  await rotateSigningKeys(parts());
  expect((await readSigningKeys(parts())).map(({ kid }) => kid)).toEqual(expect.arrayContaining(first));
  service.clockOffsetMs = 60 * DAY_MS;
  await rotateSigningKeys(parts());
  const kept = (await readSigningKeys(parts())).map(({ kid }) => kid);
  expect(kept).toHaveLength(8);
  expect(first.some((kid) => kept.includes(kid))).toBe(false);
  service.clockOffsetMs = 0;
});

test("keys are stored encrypted, and are re-encrypted with a new master key", async () => {
  const { db, close } = await createTestDatabase("postgres");
  const folder = mkdtempSync(join(tmpdir(), "signet-keys-"));
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const before = { db, clock, keyring: createKeyring([older]) };
  await registerKeys(db, before.keyring, new Date());
  await setUpInstance(db, join(folder, "admin.token"), new Date());
  await ensureSigningKeys(before);
  const keys = await readSigningKeys(before);

  const both = createKeyring([newer, older]);
  await registerKeys(db, both, new Date());
  expect(await rotateKeys(db, both, KEYED_COLUMNS, new Date())).toEqual({ rewritten: 4, stillNeeded: [] });
  expect(await readSigningKeys({ db, clock, keyring: createKeyring([newer]) })).toEqual(keys);
  const rows = await db.selectFrom("signing_keys").select("private_jwk").execute();
  for (const { private_jwk: sealed } of rows) expect(sealed.toString("latin1")).not.toContain("kty");
  await close();
  rmSync(folder, { recursive: true });
});

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
}

/** Of a new application each time: openid-client reads the keys again only after a minute. */
async function idTokenNow(browser: ReturnType<typeof newBrowser>, userId: string): Promise<string> {
  const app = await createRelyingParty(service);
  return String((await signInAndRedeem(service, browser, app, userId)).id_token);
}
