import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keycloak } from "../../src/moving/sources/keycloak.ts";
import { codeOfStep, parseTotpSecret, stepAt } from "../../src/sign-in/code/totp.ts";
import { PASSWORDS } from "../moving/fixtures/better-auth/users.ts";
import keycloakExport from "../moving/fixtures/keycloak/export-users-0.json" with { type: "json" };
import { HASHED_USERS, OTP_USERS, PASSWORD } from "../moving/fixtures/keycloak/users.ts";
import { readUser } from "../moving/sources/read.ts";
import { createPerson } from "../support/browsers/person.ts";
import { VISITED } from "../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../support/oidc/relying-party.ts";
import { runHere } from "../support/servers/run-here.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-moved-users-"));
const tokenFile = join(folder, "token");
let service: TestService;
let app: RelyingParty;

beforeAll(async () => {
  service = await startService("postgres", VISITED);
  writeFileSync(tokenFile, service.adminToken);
  app = await createRelyingParty(service);
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

/** Imports an export that a real system has made, and returns the summary. */
async function importFixture(name: string, source: string): Promise<object> {
  const file = fileURLToPath(new URL(`../moving/fixtures/${name}`, import.meta.url));
  const target = ["--url", service.origin, "--token-file", tokenFile, "--runs", join(folder, source)];
  const options = ["--names", "placeholder", "--default-region", "CH", "--yes", "--json"];
  const args = ["users", "import", file, "--from", source, ...target, ...options];
  const { stdout, stderr } = await runHere(args, {}, folder, "");
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`no summary: ${stdout} ${stderr}`);
  }
}

/** Signs in as a person does. Returns the last page, and the claims that the application gets after it. */
async function signIn(username: string, password: string, code?: string) {
  const person = createPerson(service);
  const request = createRequest(app);
  let page = await person.submit(await person.open(request.url), { username, password });
  if (code !== undefined) page = await person.submit(page, { code });
  return { page, claims: async () => (await redeem(service, app, page.url, request)).claims() };
}

test("users of Keycloak sign in with their passwords and one-time codes, and keep their ids", async () => {
  expect(await importFixture("keycloak/export-users-0.json", "keycloak")).toMatchObject({
    outcomes: { imported: 11, refused: 1, skipped: 1 },
    check: { fields: { "password to be changed": 1, "second factor to be set up": 1 } },
  });
  const records = new Map(keycloakExport.users.map((user) => [user.username, user]));
  for (const name of Object.keys(HASHED_USERS)) {
    const { claims } = await signIn(name, PASSWORD + name);
    expect([name, (await claims())?.sub]).toEqual([name, records.get(name)?.id]);
  }
  for (const name of Object.keys(OTP_USERS)) {
    const record = records.get(name) as Record<string, unknown> | undefined;
    const secret = parseTotpSecret(readUser(keycloak, record ?? {}).otp ?? "");
    if (secret === undefined) throw new Error(`${name} has no secret`);
    const { claims } = await signIn(name, PASSWORD + name, codeOfStep(secret, stepAt(secret, service.clock())));
    expect([name, (await claims())?.sub]).toEqual([name, record?.id]);
  }
  // A wrong password.
  expect((await signIn("argon2", `${PASSWORD}sha1`)).page.url.searchParams.has("code")).toBe(false);
});

test("users of Better Auth sign in with their passwords, and verify addresses that were not", async () => {
  await importFixture("better-auth/export.json", "better-auth");
  for (const [email, password] of Object.entries(PASSWORDS)) {
    const { page, claims } = await signIn(email, password);
    if (email === "ada@example.com") expect((await claims())?.sub).toEqual(expect.any(String));
    else expect([email, page.title]).toEqual([email, "Confirm your email address"]);
  }
});
