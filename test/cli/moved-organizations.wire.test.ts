import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toJson } from "@bufbuild/protobuf";
import { ExportDataResponseSchema } from "@zitadel/proto/zitadel/admin_pb";
import { hashSync } from "bcryptjs";
import { codeOfStep, parseTotpSecret, stepAt } from "../../src/sign-in/code/totp.ts";
import { createPerson } from "../support/browsers/person.ts";
import { call, VISITED } from "../support/browsers/visitor.ts";
import {
  type OtherProviders,
  type RegisteredIdp,
  registerIdp,
  signInAtIdp,
  startOtherProviders,
} from "../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../support/oidc/relying-party.ts";
import { runHere } from "../support/servers/run-here.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const PASSWORDS = { acme: "correct horse of Acme", globex: "correct horse of Globex" };
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** The providers in ZITADEL: GitHub belongs to Acme, Google to the instance. */
const [GITHUB, GOOGLE] = ["301", "302"];

const user = (userName: string, fields: object = {}) => ({
  userName,
  profile: { firstName: "Ada", lastName: "Lovelace", preferredLanguage: "en" },
  email: { email: `${userName}@example.com`, isEmailVerified: true },
  ...fields,
});
const withPassword = (password: string) => ({ hashedPassword: { value: hashSync(password, 4) } });
const metadata = (id: string, key: string, value: string) => ({ id, key, value: new TextEncoder().encode(value) });

/** What `ExportData` returns, in ZITADEL's published messages. */
const EXPORT = create(ExportDataResponseSchema, {
  orgs: [
    {
      orgId: "100",
      org: { name: "Acme" },
      humanUsers: [
        { userId: "101", user: user("ada", { ...withPassword(PASSWORDS.acme), otpCode: SECRET }) },
        { userId: "102", user: user("grace") },
      ],
      machineUsers: [{ userId: "103", user: { userName: "robot", name: "Robot" } }],
      userMetadata: [metadata("101", "plan", "gold"), metadata("102", "plan", "iron")],
      userLinks: [{ userId: "102", idpId: GITHUB, providedUserId: "github-42", providedUserName: "grace" }],
    },
    {
      orgId: "200",
      org: { name: "Globex" },
      // The same user name as in Acme.
      humanUsers: [{ userId: "201", user: user("ada", withPassword(PASSWORDS.globex)) }],
      userMetadata: [metadata("201", "plan", "silver")],
    },
    {
      orgId: "300",
      org: { name: "Initech" },
      humanUsers: [{ userId: "301", user: user("bob") }],
      userMetadata: [metadata("301", "team", "blue"), metadata("301", "plan", "free")],
      userLinks: [{ userId: "301", idpId: GOOGLE, providedUserId: "google-43" }],
    },
  ],
});

const folder = mkdtempSync(join(tmpdir(), "signet-moved-organizations-"));
let providers: OtherProviders;
let service: TestService;
/** The organizations of Signet, by their names in ZITADEL, and an application of each. */
let orgs: Record<string, string>;
let apps: Record<string, RelyingParty>;
let github: RegisteredIdp;
let google: RegisteredIdp;

beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", { ...VISITED, IDP_ALLOW_PRIVATE_NETWORKS: "true" });
  for (const secret of [...Object.values(PASSWORDS), SECRET]) service.secret(secret);
  orgs = {
    Acme: await service.createOrg("Acme"),
    Globex: await service.createOrg("Globex"),
    Initech: await service.createOrg("Initech, under another name"),
  };
  apps = {};
  for (const [name, owner_id] of Object.entries(orgs)) apps[name] = await createRelyingParty(service, { owner_id });
  github = await registerIdp(service, providers, { orgId: orgs.Acme ?? "", account: { sub: "github-42" } });
  google = await registerIdp(service, providers, { account: { sub: "google-43" } });
  // The pages cache an organization's providers for a few seconds.
  service.clockOffsetMs += 6_000;
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
  rmSync(folder, { recursive: true });
});

async function importExport(json: unknown = toJson(ExportDataResponseSchema, EXPORT)) {
  const [file, tokenFile] = [join(folder, "zitadel.json"), join(folder, "token")];
  writeFileSync(file, JSON.stringify(json));
  writeFileSync(tokenFile, service.adminToken);
  const target = ["--url", service.origin, "--token-file", tokenFile, "--runs", join(folder, "runs")];
  const idps = ["--idp", `${GITHUB}=${github.id}`, "--idp", `${GOOGLE}=${google.id}`];
  const options = [...idps, "--org-map", `Initech=${orgs.Initech}`, "--yes", "--json"];
  return await runHere(["users", "import", file, "--from", "zitadel", ...target, ...options], {}, folder, "");
}

/** The sign-in page of an organization's application, in a new browser. */
async function open(org: string) {
  const [app, person] = [apps[org], createPerson(service)];
  if (app === undefined) throw new Error(`there is no application of ${org}`);
  const request = createRequest(app);
  const claims = async (url: URL) => (await redeem(service, app, url, request)).claims();
  return { person, page: await person.open(request.url), claims };
}

async function readMetadata(org: string, id: string): Promise<Record<string, string>> {
  const headers = { "x-service-orgid": orgs[org] ?? "" };
  const { result } = await call(service, "ListUserMetadata", { id }, headers);
  const entries = (result as { key: string; value: string }[]).map(({ key, value }) => [key, decode(value)]);
  return Object.fromEntries(entries);
}

const decode = (base64: string) => Buffer.from(base64, "base64").toString();

test("an export of ZITADEL with three organizations: their users sign in by password, one-time code and link", async () => {
  const { code, stdout, stderr } = await importExport();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const summary = JSON.parse(stdout);
  expect(summary.outcomes).toEqual({ imported: 4, same: 0, updated: 0, differs: 0, merged: 0, refused: 0, skipped: 1 });
  expect(summary.check.fields).toMatchObject({ "one-time codes": 1, "links to providers": 2, metadata: 4 });

  const people: Record<string, string> = {};
  for (const [name, id] of Object.entries(orgs)) {
    const { result } = await call(service, "ListUsers", {}, { "x-service-orgid": id });
    for (const found of result as { id: string; subject: string; human?: object }[]) {
      if (found.human !== undefined) people[`${name} ${found.subject}`] = found.id;
    }
  }
  expect(Object.keys(people).toSorted()).toEqual(["Acme 101", "Acme 102", "Globex 201", "Initech 301"]);
  expect(await readMetadata("Acme", people["Acme 101"] ?? "")).toEqual({ external_id: "101", plan: "gold" });
  expect(await readMetadata("Globex", people["Globex 201"] ?? "")).toEqual({ external_id: "201", plan: "silver" });
  expect(await readMetadata("Initech", people["Initech 301"] ?? "")).toEqual({
    ...{ external_id: "301", team: "blue", plan: "free" },
  });

  // A password and a one-time code.
  const acme = await open("Acme");
  const secret = parseTotpSecret(SECRET);
  if (secret === undefined) throw new Error("not a secret");
  const asks = await acme.person.submit(acme.page, { username: "ada", password: PASSWORDS.acme });
  expect(asks.url.searchParams.has("code")).toBe(false);
  const done = await acme.person.submit(asks, { code: codeOfStep(secret, stepAt(secret, service.clock())) });
  expect(await acme.claims(done.url)).toMatchObject({ sub: "101" });

  // The user with the same name in another organization has another password.
  const globex = await open("Globex");
  const refused = await globex.person.submit(globex.page, { username: "ada", password: PASSWORDS.acme });
  expect(refused.alert).not.toBe("");
  const own = await globex.person.submit(refused, { username: "ada", password: PASSWORDS.globex });
  expect(await globex.claims(own.url)).toMatchObject({ sub: "201" });

  // A link to a provider of the organization, and one to a provider of the instance.
  const links = [
    ["Acme", github, "102"],
    ["Initech", google, "301"],
  ] as const;
  for (const [org, idp, sub] of links) {
    const { person, page, claims } = await open(org);
    const { url } = await signInAtIdp(person, page, idp);
    expect(await claims(url)).toMatchObject({ sub });
  }
});

test.each([
  ["ends in a no-break space", "Globex\u00a0"],
  ["is a property of every object", "constructor"],
])("an organization whose name in the export %s is another one", async (_, name) => {
  const humanUsers = [{ userId: "901", user: user("eve") }];
  const orgs = [{ orgId: "900", org: { name }, humanUsers }];
  const { code, stdout } = await importExport({ orgs });
  const text = expect.stringContaining(`the target has no organization "${name}"`);
  expect({ code, refusals: JSON.parse(stdout).check.refusals }).toMatchObject({ code: 1, refusals: [{ text }] });
});
