import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { SOURCES } from "../../src/moving/sources.ts";
import { createAuthenticator } from "../support/browsers/passkey-authenticator.ts";
import { IDP } from "../support/clients/requests.ts";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { createProcesses, type Ended, readToken, type TestServer } from "../support/servers/process.ts";

const HASH = "$2a$04$zVHmKQtGGQob.b/Nc7l9NO8UlrYcW05FiuCj/SxsFO/ZtiN9.mNzy";
const processes = createProcesses();
afterAll(() => processes.close());

let server: TestServer;
let variables: Record<string, string>;
let tokenFile: string;
let token: string;
let orgs = 0;

beforeAll(async () => {
  const installation = await processes.createInstallation("users-import");
  variables = installation.variables;
  tokenFile = installation.tokenFile;
  server = await processes.serve(variables);
  token = readToken(tokenFile);
});

const run = (...args: string[]): Promise<Ended> => processes.runHere(args, variables);
/** A `sub` is unique in the instance, and the tests import the same ids into organizations of their own. */
const withNewSubjects = (args: readonly string[]) => (args[0] === "import" ? [...args, "--subjects", "new"] : args);
const onServer = (...args: string[]) =>
  run("users", ...withNewSubjects(args), "--url", server.origin, "--token-file", tokenFile);

/** A new organization, and a folder for the reports of its runs. */
async function createOrg(): Promise<{ readonly orgId: string; readonly runs: string }> {
  orgs += 1;
  const { stdout } = await run("org", "create", `import ${orgs}`, "--json");
  const runs = join(processes.root, `runs-${orgs}`);
  mkdirSync(runs);
  return { orgId: JSON.parse(stdout).id, runs };
}

/** A line of Signet's own format. */
function line(id: string, changes: object = {}): Record<string, unknown> {
  const names = { firstName: "Ada", lastName: id };
  return {
    id,
    userName: `user-${id}`,
    ...names,
    email: `${id}@example.com`,
    emailVerified: true,
    passwordHash: HASH,
    ...changes,
  };
}

/** A passkey in Signet's own format, for the domain of the server. */
function createPasskey() {
  const { credentialId, publicKey } = createAuthenticator({ origin: "http://localhost", rpId: "localhost" });
  return { credentialId, publicKey: publicKey.toString("base64url"), counter: 0, rpId: "localhost" };
}

let files = 0;

function write(lines: readonly (object | string)[], name = "export.ndjson"): string {
  files += 1;
  const folder = join(processes.root, `files-${files}`);
  mkdirSync(folder);
  const path = join(folder, name);
  writeFileSync(path, lines.map((each) => `${typeof each === "string" ? each : JSON.stringify(each)}\n`).join(""));
  return path;
}

async function call(path: string, body: object, orgId: string, method = "POST") {
  const headers = { "x-service-orgid": orgId };
  const response = await send(server.origin, method, path, { token, ...(method === "POST" ? { body } : {}), headers });
  expect([path, response.status]).toEqual([path, 200]);
  return response.body;
}

async function listPeople(orgId: string) {
  const body = { query: { limit: 1000, asc: true }, sortingColumn: "USER_FIELD_NAME_USER_NAME" };
  const { result = [] } = await call("/management/v1/users/_search", body, orgId);
  return result.filter((user: { human?: object }) => user.human !== undefined);
}

function readLines(path: string) {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((each) => JSON.parse(each));
}

/** The folder of the only run. */
function folderIn(runs: string): string {
  const [name = "", ...others] = readdirSync(runs);
  expect(others).toEqual([]);
  return join(runs, name);
}

function reportIn(runs: string) {
  return readLines(join(folderIn(runs), "report.ndjson")).sort((one, other) => one.n - other.n);
}

test("imports users with all fields, on a server", async () => {
  const { orgId, runs } = await createOrg();
  const file = write([
    line("full", {
      displayName: "Countess",
      nickName: "A",
      language: "en",
      gender: "female",
      phone: "079 123 45 67",
      phoneVerified: true,
      otp: "JBSWY3DPEHPK3PXP",
      metadata: { plan: "gold" },
    }),
    line("off", { inactive: true, emailVerified: false, language: "it" }),
  ]);
  const args = ["import", file, "--from", "signet", "--default-region", "CH", "--org", orgId, "--runs", runs, "--yes"];
  const { code, stdout, stderr } = await onServer(...args);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^complete: 2 users imported in 1 s\n/) });
  expect(stdout).toContain("\n1 imported with the warning LANGUAGE_IGNORED: see report.ndjson\n");
  expect(stderr).toMatch(/^target {6}http:\/\/localhost:\d+, organization "import \d+" \(/);
  expect(stderr).toMatch(/^ +1 {2}one-time codes$/m);
  expect(stderr).toContain("Nobody gets an email with a link.");
  expect(stderr).toMatch(/^checked 2 records$/m);
  expect(stderr).toMatch(/^100 %: 2 of 2/m);
  expect(stderr).toMatch(/^The check took \d+ s, and the import takes about \d+ s\.$/m);
  const [full, off] = await listPeople(orgId);
  expect(full).toMatchObject({
    userName: "user-full",
    state: "USER_STATE_ACTIVE",
    human: {
      profile: {
        ...{ firstName: "Ada", lastName: "full", displayName: "Countess", nickName: "A" },
        ...{ preferredLanguage: "en", gender: "GENDER_FEMALE" },
      },
      email: { email: "full@example.com", isEmailVerified: true },
      phone: { phone: "+41791234567", isPhoneVerified: true },
      passwordChanged: expect.any(String),
    },
  });
  expect(off).toMatchObject({ userName: "user-off", state: "USER_STATE_INACTIVE" });
  const { result } = await call(`/management/v1/users/${full.id}/metadata/_search`, {}, orgId);
  const text = (key: string) =>
    Buffer.from(result.find((each: { key: string }) => each.key === key).value, "base64").toString();
  expect([text("external_id"), text("plan")]).toEqual(["full", "gold"]);
  expect(reportIn(runs)).toEqual([
    { n: 0, file, line: 1, sourceId: "full", outcome: "imported", userId: full.id, orgId },
    {
      ...{ n: 1, file, line: 2, sourceId: "off", outcome: "imported", userId: off.id, orgId },
      warnings: [{ field: "profile.preferredLanguage", reason: "LANGUAGE_IGNORED" }],
    },
  ]);
  const folder = folderIn(runs);
  expect(readFileSync(join(folder, "ids.csv"), "utf8")).toContain(`full,${full.id}\n`);
  for (const name of readdirSync(folder))
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
});

test("the same files, target and options are the same run, which is complete", async () => {
  const { orgId, runs } = await createOrg();
  const file = write([line("a"), line("b")]);
  const args = ["import", file, "--from", "signet", "--org", orgId, "--runs", runs, "--yes"];
  expect((await onServer(...args)).code).toBe(0);
  const again = await onServer(...args);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^complete: 2 users imported/) });
  expect(again.stderr).toContain("This run is complete: nothing was changed.");
  expect(await listPeople(orgId)).toHaveLength(2);
});

test("a complete run says which users were removed since, and imports them again", async () => {
  const { orgId, runs } = await createOrg();
  const file = write([line("a"), line("b"), line("c")]);
  const args = ["import", file, "--from", "signet", "--org", orgId, "--runs", runs, "--yes"];
  await onServer(...args);
  const [first, second] = await listPeople(orgId);
  for (const { id } of [first, second]) await call(`/management/v1/users/${id}`, {}, orgId, "DELETE");
  const told = await onServer(...args);
  expect(told.stderr).toContain(
    "This run is complete, and 2 users that it has imported were removed since. Nothing was changed; --again imports them again.",
  );
  expect(await listPeople(orgId)).toHaveLength(1);
  const again = await onServer(...args, "--again", "--json");
  expect(JSON.parse(again.stdout).outcomes).toMatchObject({ imported: 3, refused: 0 });
  expect((await listPeople(orgId)).map((user: { userName: string }) => user.userName)).toEqual([
    "user-a",
    "user-b",
    "user-c",
  ]);
  expect(reportIn(runs)).toHaveLength(3);
  expect((await onServer(...args)).stderr).toContain("This run is complete: nothing was changed.");
});

test("a second record of an address is refused for the address, or gets a name that differs", async () => {
  const { orgId, runs } = await createOrg();
  const auth0 = (user_id: string, connection: string) => ({
    ...{ user_id, email: "dup@example.com", email_verified: true, given_name: "D", family_name: "P" },
    identities: [{ connection, provider: connection, user_id: user_id.split("|")[1] }],
  });
  // In one line, so that a place is not a record.
  const users = [
    auth0("auth0|1", "auth0"),
    auth0("google-oauth2|2", "google-oauth2"),
    auth0("google-oauth2|3", "google-oauth2"),
  ];
  const file = write([JSON.stringify(users)], "auth0.json");
  const options = ["--from", "auth0", "--org", orgId, "--runs", runs, "--yes", "--json"];
  const refused = JSON.parse((await onServer("import", file, ...options)).stdout);
  expect(refused.outcomes).toMatchObject({ imported: 1, refused: 2 });
  expect(refused.check.refusals).toMatchObject([
    { text: expect.stringMatching(/^email\.email: .*; --allow-shared email imports both$/), count: 2 },
  ]);
  const { orgId: other } = await createOrg();
  const shared = ["--from", "auth0", "--org", other, "--runs", runs, "--yes", "--json", "--allow-shared", "email"];
  const { stdout } = await onServer("import", file, ...shared, "--subjects", "new");
  expect(JSON.parse(stdout).outcomes).toMatchObject({ imported: 3, refused: 0 });
  const names = (await listPeople(other)).map((user: { userName: string }) => user.userName);
  expect(names.sort()).toEqual([
    ...["dup@example.com", "dup@example.com+google-oauth2", "dup@example.com+google-oauth2+2"],
  ]);
});

test("records of one verified address become one user with all links, and undo removes it", async () => {
  const { orgId, runs } = await createOrg();
  const { idpId } = await call("/management/v1/idps/oidc", { ...IDP, name: "Google" }, orgId);
  const auth0 = (id: string, changes: object) => ({
    ...{ user_id: id, email: "dup@example.com", email_verified: true, given_name: "D", family_name: "P" },
    ...changes,
  });
  const linked = (provider: string, user_id: string) => ({ identities: [{ connection: provider, provider, user_id }] });
  const lines = [
    auth0("google-oauth2|109", { ...linked("google-oauth2", "109"), user_metadata: { plan: "gold" }, nickname: "Dee" }),
    auth0("auth0|1", { ...linked("auth0", "1"), phone_number: "+41791234567", phone_verified: true }),
    auth0("google-oauth2|110", { ...linked("google-oauth2", "110"), email: "DUP@example.com" }),
    auth0("google-oauth2|111", { ...linked("google-oauth2", "111"), email_verified: false }),
    auth0("google-oauth2|112", { ...linked("google-oauth2", "112"), email: "off@example.com", blocked: true }),
    auth0("google-oauth2|113", { ...linked("google-oauth2", "113"), email: "off@example.com" }),
  ];
  // In one line, so that a place is not a record.
  const file = write([JSON.stringify(lines)], "auth0.json");
  const hashes = write([{ _id: { $oid: "1" }, email: "dup@example.com", passwordHash: HASH }], "hashes.ndjson");
  const options = ["--from", "auth0", "--org", orgId, "--runs", runs, "--yes", "--merge", "verified-email", "--json"];
  const run = ["import", file, hashes, ...options, "--idp", `google-oauth2=${idpId}`];
  const dry = await onServer(...run, "--dry-run");
  expect(JSON.parse(dry.stdout).check).toMatchObject({ ready: 2, merged: 3, refused: 1 });
  expect(dry.stderr).toContain(`a record with the same verified address (${file}:1 into ${file}:1, `);
  const { stdout } = await onServer(...run);
  expect(JSON.parse(stdout).outcomes).toMatchObject({ imported: 2, merged: 3, refused: 1 });
  const [one, off, ...others] = await listPeople(orgId);
  expect([others, off]).toMatchObject([[], { userName: "off@example.com", state: "USER_STATE_INACTIVE" }]);
  expect(one).toMatchObject({
    userName: "dup@example.com",
    human: {
      profile: { nickName: "Dee" },
      phone: { phone: "+41791234567", isPhoneVerified: true },
      passwordChanged: expect.any(String),
    },
  });
  const links = await call(`/management/v1/users/${one.id}/idps/_search`, {}, orgId);
  expect(links.result.map(({ providedUserId }: { providedUserId: string }) => providedUserId).sort()).toEqual([
    "109",
    "110",
  ]);
  const { result } = await call(`/management/v1/users/${one.id}/metadata/_search`, {}, orgId);
  expect(
    Object.fromEntries(
      result.map(({ key, value }: Record<string, string>) => [key, Buffer.from(value ?? "", "base64").toString()]),
    ),
  ).toEqual({ external_id: "auth0|1", "user_metadata.plan": "gold" });
  expect(reportIn(runs)).toMatchObject([
    { sourceId: "google-oauth2|109", outcome: "merged", into: "auth0|1", userId: one.id },
    { sourceId: "auth0|1", outcome: "imported", userId: one.id },
    { sourceId: "google-oauth2|110", outcome: "merged", into: "auth0|1", userId: one.id },
    { sourceId: "google-oauth2|111", outcome: "refused" },
    { sourceId: "google-oauth2|112", outcome: "imported", userId: off.id },
    { sourceId: "google-oauth2|113", outcome: "merged", into: "google-oauth2|112", userId: off.id },
  ]);
  expect(readFileSync(join(folderIn(runs), "ids.csv"), "utf8")).toContain(`google-oauth2|110,${one.id}\n`);
  await call(`/management/v1/users/${one.id}`, {}, orgId, "DELETE");
  const again = await onServer(...run, "--again");
  expect(JSON.parse(again.stdout).outcomes).toMatchObject({ imported: 2, merged: 3, refused: 1 });
  await onServer("undo", JSON.parse(again.stdout).run, "--runs", runs, "--yes");
  expect(await listPeople(orgId)).toEqual([]);
});

test("a user whose records are merged arrives once, and is refused with all of them", async () => {
  const { orgId, runs } = await createOrg();
  await call(IMPORT_PATH, human("taken"), orgId);
  const google = (n: number) => line(`google-${n}`, { email: `${n}@example.com`, passwordHash: undefined });
  const lines = [
    ...[google(1), line("a", { userName: "taken", email: "1@example.com" }), google(2)],
    ...[line("b", { email: "2@example.com" }), google(3), line("c", { email: "3@example.com" })],
    ...[google(4), line("d", { email: "4@example.com", phone: "12" })],
  ];
  const options = ["--from", "signet", "--org", orgId, "--runs", runs, "--yes", "--merge", "verified-email", "--json"];
  const { stdout } = await onServer("import", write(lines), ...options);
  const { outcomes, refused, folder } = JSON.parse(stdout);
  expect(outcomes).toMatchObject({ imported: 2, merged: 2, refused: 4 });
  expect(readLines(refused[0]).map(({ id }) => id)).toEqual(["google-1", "a", "google-4", "d"]);
  // As if the process was killed after the line of the later record.
  const report = join(folder, "report.ndjson");
  const cut = readLines(report).filter(({ n }) => n !== 2 && n !== 4);
  writeFileSync(report, cut.map((each) => `${JSON.stringify(each)}\n`).join(""));
  const state = JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));
  writeFileSync(join(folder, "run.json"), JSON.stringify({ ...state, state: "started" }));
  const files = state.files.map(({ name }: { name: string }) => name);
  const continued = await onServer("import", ...files, ...options);
  expect(JSON.parse(continued.stdout).outcomes).toMatchObject({ imported: 2, merged: 2, refused: 4 });
  expect(await listPeople(orgId)).toHaveLength(3);
});

test("users without an address get a placeholder, and no messages", async () => {
  const { orgId, runs } = await createOrg();
  const lines = [
    { user_id: "sms|5d1", phone_number: "+41791234567", phone_verified: true, given_name: "S", family_name: "M" },
    { user_id: "twitter|a@b.c d", given_name: "T", family_name: "W", identities: [] },
    { user_id: `saml|${"x".repeat(80)}`, given_name: "L", family_name: "G", email: "  " },
  ];
  const options = ["--from", "auth0", "--org", orgId, "--runs", runs, "--yes", "--json"];
  const file = write(lines);
  const without = JSON.parse((await onServer("import", file, ...options, "--dry-run")).stdout);
  expect(without.check).toMatchObject({ ready: 0, refused: 3 });
  const { stdout, stderr } = await onServer("import", file, ...options, "--missing-email", "placeholder");
  expect(JSON.parse(stdout)).toMatchObject({ outcomes: { imported: 3 }, check: { fields: { "phone number": 1 } } });
  expect(stderr).toContain("Nobody gets an email with a link.");
  expect(stderr).toMatch(/^ +3 {2}email address \(missing: the user gets a placeholder, and no messages\)$/m);
  const people = await listPeople(orgId);
  const emails = people.map(({ human: { email } }: { human: { email: { email: string } } }) => email);
  expect(emails).toEqual([
    { email: expect.stringMatching(/^[0-9a-f]{64}@auth0\.invalid$/) },
    { email: "sms|5d1@auth0.invalid" },
    { email: "twitter|a=40b=2ec=20d@auth0.invalid" },
  ]);
  expect(people.map(({ state }: { state: string }) => state)).toEqual(Array(3).fill("USER_STATE_ACTIVE"));
  const { result = [] } = await call("/management/v1/messages/_search", {}, orgId);
  expect(result).toEqual([]);
});

test("users of an earlier import are compared", async () => {
  const { orgId, runs } = await createOrg();
  // The mark before the name is not stored.
  const marked = line("b", { firstName: "\u200eAnna" });
  const first = write([line("a", { metadata: { plan: "gold" } }), marked, line("c")]);
  const options = ["--from", "signet", "--org", orgId, "--runs", runs, "--yes", "--json"];
  await onServer("import", first, ...options);
  const second = write([
    line("a", { metadata: { plan: "iron" }, lastName: "Other" }),
    marked,
    line("c", { userName: "renamed" }),
    line("d"),
  ]);
  const { code, stdout, stderr } = await onServer("import", second, ...options);
  expect([code, JSON.parse(stdout).outcomes]).toEqual([
    0,
    { imported: 1, same: 1, updated: 0, differs: 2, merged: 0, refused: 0, skipped: 0 },
  ]);
  expect(stderr).toMatch(/^exist {7}3: they are compared, and not changed$/m);
  const reports = readdirSync(runs).map((name) => readLines(join(runs, name, "report.ndjson")));
  const differs = reports.flat().filter(({ outcome }) => outcome === "differs");
  expect(differs.map(({ sourceId, fields }) => [sourceId, fields]).sort()).toEqual([
    ["a", ["profile.lastName", "metadata.plan"]],
    ["c", ["userName"]],
  ]);
});

test("one-time codes and passkeys that were set up after an earlier import are differences", async () => {
  const { orgId, runs } = await createOrg();
  const passkey = createPasskey();
  const options = ["--from", "signet", "--org", orgId, "--runs", runs, "--yes", "--json"];
  const complete = { otp: "JBSWY3DPEHPK3PXP", passkeys: [passkey] };
  await onServer("import", write([line("a"), line("b", complete)]), ...options);
  const { stdout } = await onServer(
    "import",
    write([line("a", complete), line("b", { ...complete, nickName: "B" })]),
    ...options,
  );
  const summary = JSON.parse(stdout);
  expect(summary.outcomes).toMatchObject({ same: 0, updated: 0, differs: 2 });
  const differs = readLines(join(summary.folder, "report.ndjson")).map(({ sourceId, fields }) => [sourceId, fields]);
  expect(differs.sort()).toEqual([
    ["a", ["otpCode", "passkeys"]],
    ["b", ["profile.nickName"]],
  ]);
});

test("a dry run finds the subjects of users in the target", async () => {
  const { orgId, runs } = await createOrg();
  const subject = `of an earlier system ${orgs}`;
  const { userId } = await call(IMPORT_PATH, { ...human("holder"), subject }, orgId);
  const file = write([line("a", { subject: `free ${orgs}` }), line("b", { subject })]);
  const args = ["users", "import", file, "--from", "signet", "--org", orgId, "--runs", runs, "--dry-run", "--json"];
  const { stdout } = await run(...args, "--url", server.origin, "--token-file", tokenFile);
  expect(JSON.parse(stdout).check).toMatchObject({
    ready: 1,
    refusals: [{ text: `subject: is taken in the target, by user ${userId}`, count: 1, examples: [`${file}:2`] }],
  });
});

test("users of Keycloak in a directory that it only reads are counted", async () => {
  const { orgId, runs } = await createOrg();
  const katherine = {
    id: "1",
    username: "katherine",
    email: "k@example.com",
    firstName: "Katherine",
    lastName: "Johnson",
  };
  const federated = {
    realm: "acme",
    federatedUsers: [
      { id: "f:1:ada", credentials: [] },
      { id: "f:1:grace", credentials: [] },
    ],
  };
  const files = [
    write([{ realm: "acme", users: [katherine] }], "acme-users-0.json"),
    write([federated], "acme-federated-users-0.json"),
  ];
  const options = ["--from", "keycloak", "--org", orgId, "--runs", runs, "--yes", "--json"];
  const { stdout, stderr } = await onServer("import", ...files, ...options);
  expect(JSON.parse(stdout).outcomes).toMatchObject({ imported: 1, skipped: 2 });
  expect(stderr).toMatch(
    /^ +2 {2}user in a directory that Keycloak only reads: without name and address \(.*-0\.json:1, …\)$/m,
  );
  expect(reportIn(runs).filter(({ outcome }) => outcome === "skipped")).toMatchObject([
    { file: files[1], sourceId: "f:1:ada" },
    { file: files[1], sourceId: "f:1:grace" },
  ]);
});

test("realms of Keycloak go to several organizations, which are named if they are missing", async () => {
  const { orgId, runs } = await createOrg();
  const { orgId: other } = await createOrg();
  const user = (id: string) => ({ id, username: id, email: `${id}@example.com`, firstName: "A", lastName: id });
  const realm = (name: string, ...ids: string[]) => ({ realm: name, enabled: true, users: ids.map(user) });
  const several = write(
    [JSON.stringify([realm("acme", "a"), realm("umbrella", "b", "c")], undefined, 2)],
    "realms.json",
  );
  const options = ["--from", "keycloak", "--runs", runs, "--yes", "--json"];
  const missing = await onServer("import", several, ...options, "--org-map", `acme=${orgId}`);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('does not have "umbrella": name one') });
  const maps = ["--org-map", `acme=${orgId}`, "--org-map", `umbrella=${other}`];
  expect((await onServer("import", several, ...options, ...maps)).code).toBe(0);
  const names = async (id: string) => (await listPeople(id)).map(({ userName }: { userName: string }) => userName);
  expect([await names(orgId), await names(other)]).toEqual([["a"], ["b", "c"]]);
  // A single realm needs no organization of its name.
  const single = write([realm("umbrella", "d")], "umbrella-users-0.json");
  expect((await onServer("import", single, ...options)).code).toBe(0);
  expect((await onServer("import", single, ...options, "--org", orgId)).stdout).toContain('"imported":1');
});

test("broken lines and refused users are reported by line, and the rest arrives", async () => {
  const { orgId, runs } = await createOrg();
  await call(IMPORT_PATH, human("user-taken"), orgId);
  const lines = [
    line("good"),
    '{"id":"broken"',
    line("no-name", { lastName: undefined }),
    line("bad-phone", { phone: "12" }),
    line("bad-hash", { passwordHash: "5f4dcc3b5aa765d61d8327deb882cf99" }),
    line("same-name", { userName: "USER-good" }),
    line("same-email", { email: "good@example.com" }),
    line("wrong-type", { email: 5 }),
    line("taken"),
    line("good"),
    `{"id":"long","userName":"${"x".repeat(10 * 1024 * 1024)}"}`,
    line("last", { language: "german" }),
  ];
  const file = write(lines);
  const { code, stdout, stderr } = await onServer(
    "import",
    file,
    "--from",
    "signet",
    "--org",
    orgId,
    "--runs",
    runs,
    "--yes",
    "--json",
  );
  const summary = JSON.parse(stdout);
  expect([code, summary.outcomes]).toEqual([
    1,
    { imported: 2, same: 0, updated: 0, differs: 0, merged: 0, refused: 10, skipped: 0 },
  ]);
  const refused = reportIn(runs).filter(({ outcome }) => outcome === "refused");
  expect(
    refused.map(({ line: at, problems }) => [at, ...problems.map(({ field }: { field: string }) => field)]),
  ).toEqual([
    [2, ""],
    [3, "profile.lastName"],
    [4, "phone.phone"],
    [5, "hashedPassword.value"],
    [6, "userName"],
    [7, "email.email"],
    [8, "email"],
    [9, "userName"],
    [10, "id"],
    [11, ""],
  ]);
  expect(refused[4].problems[0].description).toBe(`is that of an earlier record, at ${file}:1`);
  expect(refused[7].problems[0].description).toMatch(/^is taken in the target, by user /);
  expect(stderr).toContain(
    `profile.lastName: is missing in the export; --names says what to do about that (${file}:3)`,
  );
  expect(stderr).toMatch(/^ +1 {2}language \(not a language tag such as de\)$/m);
  // Everything but the line that was too long for memory.
  const [path] = summary.refused;
  expect(readFileSync(path, "utf8")).toBe(
    lines
      .filter((_, n) => n !== 0 && n < 10)
      .map((each) => `${typeof each === "string" ? each : JSON.stringify(each)}\n`)
      .join(""),
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);

  const args = ["--from", "signet", "--org", orgId, "--runs", join(runs, "mended"), "--yes", "--json"];
  const rules = ["--names", "placeholder", "--drop-invalid", "phone,password", "--allow-shared", "email"];
  const mended = await onServer("import", path, ...args, ...rules);
  expect([mended.code, JSON.parse(mended.stdout).outcomes]).toMatchObject([1, { imported: 4 }]);
  expect(mended.stderr).toMatch(/^ +1 {2}phone \(invalid\)$/m);
});

test("broken bytes of every kind are reported by line, and the rest arrives", async () => {
  const { orgId, runs } = await createOrg();
  const file = write([]);
  const invalid = Buffer.concat([Buffer.from('{"id":"invalid","userName":"'), Buffer.of(0xff), Buffer.from('"}')]);
  const users = [line("marked"), line("after")].map((user) => Buffer.from(JSON.stringify(user)));
  const [marked = Buffer.of(), after = Buffer.of()] = users;
  const parts = [
    Buffer.from("\ufeff"),
    marked,
    "\r\n",
    invalid,
    "\r\n",
    "[1]\r\n",
    "\r\n",
    after,
    "\r\n",
    '{"id":"cut',
  ];
  writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part))));
  const many = Array.from({ length: 500 }, (_, n) => `${JSON.stringify(line(`zipped-${n}`))}\n`).join("");
  const zipped = gzipSync(many, { level: 0 });
  const truncated = write([], "export.ndjson.gz");
  writeFileSync(truncated, zipped.subarray(0, zipped.length - 40));
  const options = ["--from", "signet", "--org", orgId, "--runs", runs, "--yes", "--json"];
  const { code, stdout } = await onServer("import", file, truncated, ...options);
  expect([code, JSON.parse(stdout).isComplete]).toEqual([1, true]);
  const report = reportIn(runs);
  const refused = report.filter(({ outcome }) => outcome === "refused");
  const problems = refused.map(({ file: name, line: at, problems: [{ description }] }) => [name, at, description]);
  expect(problems).toEqual([
    [file, 2, expect.stringMatching(/^is not valid UTF-8; /)],
    [file, 3, "is not an object"],
    [file, 6, "is not valid JSON"],
    // The line that was cut may be a record of its own.
    ...(problems.length > 4 ? [problems[3]] : []),
    [truncated, expect.any(Number), expect.stringMatching(/^cannot be read, nor anything after it: /)],
  ]);
  const arrived = (await listPeople(orgId)).map(({ userName }: { userName: string }) => userName);
  expect(arrived).toEqual(expect.arrayContaining(["user-marked", "user-after", "user-zipped-0"]));
  expect(arrived).toHaveLength(report.length - refused.length);
});

test("a dry run changes nothing, and says who would get messages", async () => {
  const { orgId, runs } = await createOrg();
  const file = write([
    line("a", { emailVerified: false }),
    line("b", { passwordHash: undefined, links: [{ provider: "google", externalUserId: "1" }] }),
    line("c"),
  ]);
  const { code, stdout, stderr } = await onServer(
    "import",
    file,
    "--from",
    "signet",
    "--org",
    orgId,
    "--runs",
    runs,
    "--dry-run",
  );
  expect([code, stdout]).toEqual([0, "dry run: nothing was changed\n"]);
  expect(stderr).toContain("\n2 users get an email with a link:\n");
  expect(stderr).toMatch(/^ +1 {2}the address is not verified \(a@example\.com\)$/m);
  expect(stderr).toMatch(/^ +1 {2}there is no password \(b@example\.com\)$/m);
  expect(stderr).toMatch(/^ +1 {2}link to google \(not mapped with --idp\)$/m);
  expect(stderr).toMatch(/^The check took \d+ s, and an import, which checks again, takes about \d+ s\.$/m);
  expect(await listPeople(orgId)).toEqual([]);
});

test("if all records are refused, the check lists what it does not read", async () => {
  const { orgId, runs } = await createOrg();
  const file = write(["user name,mailbox,shoe size", "ada,ada@example.com,38", "bob,bob@example.com,44"], "users.csv");
  const args = ["import", file, "--from", "csv", "--org", orgId, "--runs", runs, "--dry-run"];
  const { code, stderr } = await onServer(...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^refused {5}2$/m);
  expect(stderr).toMatch(/^Columns\n {2}user name {2}userName: ada, bob$/m);
  expect(stderr).toMatch(
    /^ {2}mailbox {4}not imported; if it is email, add --map "mailbox=email": ada@example\.com, /m,
  );
  expect(stderr).toMatch(/^ {2}shoe size {2}not imported: 38, 44$/m);
  expect(stderr).not.toContain("column mailbox");
});

test("a stray character in a name loses no user", async () => {
  const { orgId, runs } = await createOrg();
  const file = write([
    line("a", { firstName: "\ufeffA\u200bda\u0000", lastName: "Love\tlace", displayName: "\u202eAda👩‍🔬" }),
    line("b"),
    line("c", { userName: "user\u200b-c" }),
  ]);
  const args = ["import", file, "--from", "signet", "--org", orgId, "--runs", runs, "--yes"];
  const { code, stdout, stderr } = await onServer(...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^ +1 {2}invisible characters in names$/m);
  const people = await listPeople(orgId);
  expect(people.map(({ userName }: { userName: string }) => userName)).toEqual(["user-a", "user-b"]);
  expect(people[0].human.profile).toMatchObject({
    ...{ firstName: "Ada", lastName: "Love lace", displayName: "Ada👩‍🔬" },
  });
  const [, undo = ""] = /; undo: signet (.*)$/m.exec(stdout) ?? [];
  expect(undo).toMatch(new RegExp(`^users undo signet-\\w+ --runs ${runs}$`));
});

test("the help lists the systems whose exports are read", async () => {
  const { stdout } = await run("users", "import", "--help");
  for (const name of Object.keys(SOURCES)) expect(stdout.replaceAll(/\s+/g, " ")).toMatch(new RegExp(` ${name}[, ]`));
});

test("more calls at once than may wait for the database do not end the preview", async () => {
  const { orgId, runs } = await createOrg();
  const options = ["--org", orgId, "--runs", runs, "--concurrency", "256", "--dry-run"];
  const { code, stderr } = await run("users", "import", write([line("a")]), "--from", "signet", ...options);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^The check took /m)]);
});

test("without a terminal and --yes, it shows the preview and the command", async () => {
  const { orgId, runs } = await createOrg();
  const file = write([line("a")]);
  const { code, stdout, stderr } = await onServer("import", file, "--from", "signet", "--org", orgId, "--runs", runs);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^to import {3}1$/m);
  expect(stderr).toContain(
    `there is no terminal to confirm the import; to make it, run: signet users import ${file} --from signet`,
  );
  expect(await listPeople(orgId)).toEqual([]);
});

test("what prevents the import ends it with 2 before anything is changed", async () => {
  const { orgId, runs } = await createOrg();
  const file = write([line("a")]);
  const options = ["--org", orgId, "--runs", runs, "--yes"];
  const cases: [string[], string][] = [
    [["import", file, "--from", "nothing", ...options], "--from is invalid: expected one of "],
    [["import", "gone.ndjson", "--from", "signet", ...options], "there is no file gone.ndjson"],
    [
      ["import", file, "--from", "signet", "--org", "no such organization", "--runs", runs, "--yes"],
      "no organization has the id or name",
    ],
    [
      ["import", file, "--from", "signet", "--idp", "google=01a1fe2a-bf96-7fcb-9fb0-7912da3b4f57", ...options],
      "--idp google=01a1fe2a-bf96-7fcb-9fb0-7912da3b4f57: the organization has no provider with this id",
    ],
    [
      ["import", file, "--from", "signet", "--names", "guess", ...options],
      "Expected one or more of split, from-email, placeholder.",
    ],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await onServer(...args);
    expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringContaining(message) });
  }
  const { code, stderr } = await run(
    "users",
    "import",
    file,
    "--from",
    "signet",
    "--url",
    "http://localhost:1",
    "--token-file",
    tokenFile,
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining("cannot call http://localhost:1")]);
});

test("imports from the standard input into the database, and leaves no copy", async () => {
  const { orgId, runs } = await createOrg();
  const args = [
    "users",
    "import",
    "-",
    "--from",
    "signet",
    "--subjects",
    "new",
    "--org",
    orgId,
    "--runs",
    runs,
    "--yes",
  ];
  const { code } = await processes.runHere(args, variables, { input: `${JSON.stringify(line("a"))}\n` });
  expect(code).toBe(0);
  expect(await listPeople(orgId)).toHaveLength(1);
  expect(readdirSync(runs)).toEqual([expect.stringMatching(/^signet-[0-9a-f]{12}$/)]);
});

test("users of several organizations go to those with their names, or to those that are mapped", async () => {
  const [one, two] = [await createOrg(), await createOrg()];
  const idp = { name: "Google", issuer: "https://google.example.com", clientId: "x", clientSecret: "x" };
  const { idpId } = await call("/management/v1/idps/oidc", idp, two.orgId);
  const { stdout } = await run("org", "list", "--json");
  const name = JSON.parse(stdout).find(({ id }: { id: string }) => id === one.orgId).name;
  const file = write([
    line("a", { sourceOrg: name }),
    line("a2", { sourceOrg: "there", links: [{ provider: "google", externalUserId: "1" }] }),
    line("a3", { sourceOrg: "nowhere" }),
  ]);
  const { code, stdout: json } = await onServer(
    "import",
    file,
    "--from",
    "signet",
    "--org-map",
    `there=${two.orgId}`,
    "--idp",
    `google=${idpId}`,
    "--runs",
    one.runs,
    "--yes",
    "--json",
  );
  expect([code, JSON.parse(json).outcomes]).toMatchObject([1, { imported: 2, refused: 1 }]);
  expect(await listPeople(one.orgId)).toHaveLength(1);
  const [linked, ...others] = await listPeople(two.orgId);
  expect(others).toEqual([]);
  const { result } = await call(`/management/v1/users/${linked.id}/idps/_search`, {}, two.orgId);
  expect(result).toMatchObject([{ idpId, providedUserId: "1" }]);
});

describe("undo", () => {
  test("removes what the run has made, after a preview, and a later import makes it again", async () => {
    const { orgId, runs } = await createOrg();
    const before = await call(IMPORT_PATH, human("stays"), orgId);
    const file = write([line("a"), line("b")]);
    const args = ["import", file, "--from", "signet", "--org", orgId, "--runs", runs, "--yes", "--json"];
    const { run: name } = JSON.parse((await onServer(...args)).stdout);
    const preview = await onServer("undo", name, "--runs", runs);
    expect([preview.code, preview.stdout]).toEqual([2, ""]);
    expect(preview.stderr).toContain("imported    2 users\nexist       2\nsigned in   0 since the import\n");
    const undone = await onServer("undo", name, "--runs", runs, "--yes", "--json");
    expect([undone.code, JSON.parse(undone.stdout)]).toMatchObject([0, { removed: 2, refused: [], isComplete: true }]);
    expect((await listPeople(orgId)).map(({ id }: { id: string }) => id)).toEqual([before.userId]);

    const again = await onServer(...args);
    expect([again.code, JSON.parse(again.stdout).outcomes]).toMatchObject([0, { imported: 2, same: 0 }]);
    expect(await listPeople(orgId)).toHaveLength(3);
  });

  test("that was killed before it renamed the report is finished by the next import", async () => {
    const { orgId, runs } = await createOrg();
    const args = ["import", write([line("a"), line("b")]), "--from", "signet", "--org", orgId, "--runs", runs, "--yes"];
    await onServer(...args);
    const folder = folderIn(runs);
    const before = readFileSync(join(folder, "report.ndjson"));
    await onServer("undo", folder, "--runs", runs, "--yes");
    const [renamed = ""] = readdirSync(folder).filter((name) => /^report-undone-/.test(name));
    renameSync(join(folder, renamed), join(folder, "report.ndjson"));

    const again = await onServer(...args, "--json");
    expect([again.code, JSON.parse(again.stdout).outcomes]).toMatchObject([0, { imported: 2, same: 0 }]);
    expect(await listPeople(orgId)).toHaveLength(2);
    const [kept = ""] = readdirSync(folder).filter((name) => /^report-undone-/.test(name));
    expect(readFileSync(join(folder, kept))).toEqual(before);
  });

  test("is refused on another instance", async () => {
    const { orgId, runs } = await createOrg();
    const file = write([line("a")]);
    const { stdout } = await onServer(
      "import",
      file,
      "--from",
      "signet",
      "--org",
      orgId,
      "--runs",
      runs,
      "--yes",
      "--json",
    );
    const other = await processes.createInstallation("users-undo-other");
    const otherServer = await processes.serve(other.variables);
    const args = ["--url", otherServer.origin, "--token-file", other.tokenFile, "--runs", runs, "--yes"];
    const { code, stderr } = await run("users", "undo", JSON.parse(stdout).run, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`in the organization ${orgId}, which is not here`)]);
    expect(await listPeople(orgId)).toHaveLength(1);
  });
});

describe("export", () => {
  /** Users that were imported at the same time have no order. */
  const readExport = (text: string) =>
    text
      .split("\n")
      .filter(Boolean)
      .map((each) => JSON.parse(each))
      .sort((one, other) => (one.userName < other.userName ? -1 : 1));

  test("of a database imports again to the same, with hashes, secrets and passkeys", async () => {
    const [one, two] = [await createOrg(), await createOrg()];
    const passkeys = [
      { ...createPasskey(), userHandle: "AQID", isBackupEligible: true, counter: 7 },
      { ...createPasskey(), name: "Phone" },
    ];
    const users = [
      line("a", { metadata: { plan: "gold" }, otp: "JBSWY3DPEHPK3PXP", gender: "diverse", displayName: "A", passkeys }),
      line("b", {
        ...{ inactive: true, passwordChangeRequired: true, secondFactorRequired: true },
        ...{ phone: "+41791234567", phoneVerified: true },
      }),
    ];
    const options = ["--from", "signet", "--runs", one.runs, "--yes", "--json"];
    await onServer("import", write(users), "--org", one.orgId, ...options);
    const exported = await run("users", "export", "--org", one.orgId, "--with-hashes", "--with-secrets");
    expect(exported.code).toBe(0);
    const lines = readExport(exported.stdout);
    expect(lines).toMatchObject([
      {
        ...{ userName: "user-a", passwordHash: HASH, otp: "JBSWY3DPEHPK3PXP" },
        metadata: { external_id: "a", plan: "gold" },
        passkeys: expect.arrayContaining([{ ...passkeys[0], name: "Passkey 1" }, { ...passkeys[1] }]),
      },
      { userName: "user-b", inactive: true, passwordChangeRequired: true, secondFactorRequired: true },
    ]);
    // A passkey is unique in the instance.
    for (const { id } of await listPeople(one.orgId)) await call(`/management/v1/users/${id}`, {}, one.orgId, "DELETE");
    await onServer("import", write(lines), "--org", two.orgId, ...options);
    const again = await run("users", "export", "--org", two.orgId, "--with-hashes", "--with-secrets");
    const withoutIds = (text: string) => readExport(text).map(({ id: _, subject: __, ...user }) => user);
    expect(withoutIds(again.stdout)).toEqual(withoutIds(exported.stdout));
  });

  test("of a database returns more people than calls may wait for its connection", async () => {
    const { orgId, runs } = await createOrg();
    const ids = Array.from({ length: 120 }, (_, n) => `many-${n}`);
    const file = write(ids.map((id) => line(id, { passwordHash: undefined })));
    await onServer("import", file, "--from", "signet", "--messages", "none", "--org", orgId, "--runs", runs, "--yes");
    const { code, stdout, stderr } = await run("users", "export", "--org", orgId);
    expect([code, stderr]).toEqual([0, "exported 120 users\n"]);
    expect(readExport(stdout).map((user: { userName: string }) => user.userName)).toEqual(
      ids.map((id) => `user-${id}`).sort(),
    );
  });

  test("of a server has neither, and says so", async () => {
    const { orgId, runs } = await createOrg();
    await onServer("import", write([line("a")]), "--from", "signet", "--org", orgId, "--runs", runs, "--yes");
    const { code, stdout, stderr } = await onServer("export", "--org", orgId);
    expect([code, stderr]).toEqual([0, "exported 1 users\n"]);
    expect(JSON.parse(stdout)).toMatchObject({ userName: "user-a", email: "a@example.com" });
    expect(stdout).not.toContain(HASH);
    const refused = await onServer("export", "--org", orgId, "--with-hashes");
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain("a server never returns hashes and secrets");
  });
});
