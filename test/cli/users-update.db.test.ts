import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { human, send } from "../support/clients/send.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";

const HASH = "$2a$04$zVHmKQtGGQob.b/Nc7l9NO8UlrYcW05FiuCj/SxsFO/ZtiN9.mNzy";
const OTHER_HASH = "$2a$04$abcdefghijklmnopqrstuuIBkH8pjfkDYmjZtzsiFYGYLacsaGHyW";
const processes = createProcesses();
afterAll(() => processes.close());

let server: TestServer;
let variables: Record<string, string>;
let tokenFile: string;
let count = 0;

beforeAll(async () => {
  const installation = await processes.createInstallation("users-update");
  variables = installation.variables;
  tokenFile = installation.tokenFile;
  server = await processes.serve(variables);
});

/** A new organization, with commands for its users. */
async function createOrg() {
  count += 1;
  const folder = join(processes.root, `update-${count}`);
  const runs = join(folder, "runs");
  mkdirSync(runs, { recursive: true });
  const { stdout } = await processes.runHere(["org", "create", `update ${count}`, "--json"], variables);
  const orgId: string = JSON.parse(stdout).id;
  const call = async (method: string, path: string, body?: object, token = readToken(tokenFile)) => {
    const request = { token, headers: { "x-service-orgid": orgId }, ...(body && { body }) };
    const response = await send(server.origin, method, `/management/v1/users${path}`, request);
    expect([path, response.status]).toEqual([path, 200]);
    return response.body;
  };
  const users = (...args: string[]) =>
    processes.runHere(
      ["users", ...args, "--runs", runs, "--json", "--url", server.origin, "--token-file", tokenFile],
      variables,
    );
  let files = 0;
  return {
    runs,
    call,
    undo: (run: string, { isConfirmed = true } = {}) => users("undo", run, ...(isConfirmed ? ["--yes"] : [])),
    /** Imports users who have other values in each export. */
    async load(lines: readonly object[], ...args: string[]) {
      const file = join(folder, `export-${++files}.ndjson`);
      writeFileSync(file, lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
      const options = ["--from", "signet", "--subjects", "new", "--org", orgId, "--yes", ...args];
      const { code, stdout: summary, stderr } = await users("import", file, ...options);
      return { code, stderr, ...JSON.parse(summary || "{}") };
    },
    async find(userName: string) {
      const queries = [{ userNameQuery: { userName } }];
      const { result = [] } = await call("POST", "/_search", { queries });
      return result[0];
    },
    async metadataOf(id: string) {
      const { result } = await call("POST", `/${id}/metadata/_search`, {});
      return Object.fromEntries(
        result.map(({ key, value }: Record<string, string>) => [key, Buffer.from(value ?? "", "base64").toString()]),
      );
    },
    report: (run: string) =>
      readFileSync(join(runs, run, "report.ndjson"), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((each) => JSON.parse(each))
        .sort((one, other) => one.n - other.n),
  };
}

function line(id: string, changes: object = {}) {
  const names = { userName: `user-${id}`, firstName: "Ada", lastName: "Byron" };
  return { id, ...names, email: `${id}@example.com`, emailVerified: true, passwordHash: HASH, ...changes };
}

const UNVERIFIED = { emailVerified: false };

test("--update shows what it will change, changes it, and can be undone", async () => {
  const { load, find, metadataOf, report, undo, call } = await createOrg();
  const plan = { metadata: { plan: "iron", kept: "as it was" } };
  const before = [
    line("a", { ...plan, phone: "+41791234567", phoneVerified: true, language: "de" }),
    line("b", { userName: "b@example.com" }),
    line("c", UNVERIFIED),
    line("same"),
  ];
  await load(before);
  await call("POST", "/human/_import", human("stranger"));
  const stored = { a: await find("user-a"), b: await find("b@example.com") };
  const next = [
    line("a", {
      ...{ lastName: "Lovelace", nickName: "Countess", passwordHash: OTHER_HASH, phone: "+41791234568" },
      ...{ phoneVerified: true, metadata: { plan: "gold", team: "red" } },
    }),
    line("b", { userName: "b2@example.com", email: "b2@example.com" }),
    // A verified address becomes neither unverified nor another one that is not verified.
    line("c"),
    line("same", { ...UNVERIFIED, email: "other@example.com" }),
    line("new"),
  ];
  const dry = await load(next, "--update", "--dry-run");
  expect(dry.check).toMatchObject({ ready: 1, existing: 4, toUpdate: 3 });
  expect(dry.check.changes).toEqual(
    expect.arrayContaining([
      { text: "profile.lastName", count: 1, examples: ['a: "Byron" to "Lovelace"'] },
      { text: "metadata.plan", count: 1, examples: ['a: "iron" to "gold"'] },
      {
        text: "email",
        count: 2,
        examples: expect.arrayContaining(['c: "c@example.com" to "c@example.com" (verified)']),
      },
    ]),
  );
  expect(dry.check.differences).toEqual([{ text: "email.email", count: 1, examples: ["same"] }]);
  expect(dry.stderr).toContain("exist       4: 3 of them are changed");
  expect(await find("user-a")).toEqual(stored.a);

  const { outcomes, run } = await load(next, "--update");
  expect(outcomes).toMatchObject({ imported: 1, updated: 3, differs: 1, same: 0, refused: 0 });
  expect(await find("user-a")).toMatchObject({
    human: {
      profile: { lastName: "Lovelace", nickName: "Countess", displayName: "Ada Lovelace", preferredLanguage: "de" },
      phone: { phone: "+41791234568", isPhoneVerified: true },
      passwordChanged: stored.a.human.passwordChanged,
    },
  });
  expect(await metadataOf(stored.a.id)).toEqual({ external_id: "a", plan: "gold", team: "red", kept: "as it was" });
  // A name that is the address follows it.
  expect(await find("b2@example.com")).toMatchObject({
    id: stored.b.id,
    human: { email: { email: "b2@example.com", isEmailVerified: true } },
  });
  expect(await find("user-c")).toMatchObject({ human: { email: { isEmailVerified: true } } });
  expect(await find("user-same")).toMatchObject({ human: { email: { email: "same@example.com" } } });
  expect(report(run)[1]).toMatchObject({
    ...{ sourceId: "b", outcome: "updated", userId: stored.b.id },
    changes: [
      {
        field: "email",
        from: { value: "b@example.com", isVerified: true },
        to: { value: "b2@example.com", isVerified: true },
      },
    ],
  });
  // The next export is compared with what this one has changed.
  const later = await load([...next, line("late")], "--update");
  expect(later.outcomes).toMatchObject({ imported: 1, updated: 0, same: 4, differs: 1 });

  const undone = JSON.parse((await undo(run)).stdout);
  expect(undone).toMatchObject({ removed: 1, updated: 3, restored: 2, changedSince: 0, refused: [] });
  const { details: _, ...restored } = await find("user-a");
  const { details: __, ...earlier } = stored.a;
  expect(restored).toEqual(earlier);
  expect(await metadataOf(stored.a.id)).toEqual({ external_id: "a", plan: "iron", kept: "as it was" });
  expect(await find("b@example.com")).toMatchObject({ id: stored.b.id, human: { email: { isEmailVerified: true } } });
  expect((await load(next, "--update")).outcomes).toMatchObject({ imported: 1, updated: 2 });
});

test("what people have changed since the import stays, also in an undo", async () => {
  const { load, find, call, metadataOf, report, undo } = await createOrg();
  await load([
    line("a", { nickName: "A", metadata: { plan: "iron", team: "red" } }),
    line("b", { phone: "+41791234567" }),
  ]);
  const { stdout } = await processes.runHere(
    ["token", "create", `editor-${count}`, "--role", "INSTANCE_OWNER", "--json"],
    variables,
    { mayPrintToken: true },
  );
  const { token } = JSON.parse(stdout);
  const [a, b] = [await find("user-a"), await find("user-b")];
  const profile = { firstName: "Ada", lastName: "Byron", displayName: "Ada Byron" };
  await call("PUT", `/${a.id}/profile`, { ...profile, nickName: "Mine" }, token);
  await call("POST", `/${a.id}/metadata/team`, { value: Buffer.from("blue").toString("base64") }, token);
  await call("DELETE", `/${b.id}/phone`, undefined, token);
  const next = [
    line("a", { nickName: "B", lastName: "King", metadata: { plan: "gold", team: "green" } }),
    line("b", { phone: "+41791234568" }),
  ];
  const { outcomes, run } = await load(next, "--update");
  expect(outcomes).toMatchObject({ updated: 1, differs: 1 });
  expect(await find("user-a")).toMatchObject({ human: { profile: { nickName: "Mine", lastName: "King" } } });
  expect(await metadataOf(a.id)).toMatchObject({ plan: "gold", team: "blue" });
  expect((await find("user-b")).human.phone).toBeUndefined();
  expect(report(run)).toMatchObject([
    { outcome: "updated", kept: ["profile.nickName", "metadata.team"] },
    { outcome: "differs", fields: ["phone"] },
  ]);
  // Also in the update after the next, although the update between has written the whole profile.
  await load([line("a", { nickName: "B", lastName: "Queen" })], "--update");
  expect(await find("user-a")).toMatchObject({ human: { profile: { nickName: "Mine", lastName: "Queen" } } });
  await call("PUT", `/${a.id}/profile`, { ...profile, nickName: "Mine", lastName: "Other" }, token);
  expect(JSON.parse((await undo(run)).stdout)).toMatchObject({ restored: 1, changedSince: 1 });
  expect(await find("user-a")).toMatchObject({ human: { profile: { nickName: "Mine", lastName: "Other" } } });
  expect(await metadataOf(a.id)).toMatchObject({ plan: "iron", team: "blue" });
});

test("a process that was killed after a change is continued, and the undo knows the earlier values", async () => {
  const { load, find, call, report, undo, runs } = await createOrg();
  await load([line("a", { metadata: { plan: "iron" } }), line("b", { firstName: "A".repeat(199) })]);
  const next = [line("a", { lastName: "King", metadata: { plan: "gold" } }), line("b", { lastName: "King" })];
  const { run } = await load(next, "--update");
  const folder = join(runs, run);
  // As if it was killed before the second call for a user, and before the outcomes were written.
  const { id } = await find("user-a");
  // The display name that Signet had made, without the space at the end, is made again.
  expect(await find("user-b")).toMatchObject({ human: { profile: { displayName: "Ada King" } } });
  await call("POST", `/${id}/metadata/plan`, { value: Buffer.from("iron").toString("base64") });
  writeFileSync(join(folder, "report.ndjson"), "");
  const state = JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));
  writeFileSync(join(folder, "run.json"), JSON.stringify({ ...state, state: "started" }));
  const unconfirmed = await undo(run, { isConfirmed: false });
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringMatching(/^changed {5}2 users$/m)]);
  expect(await find("user-a")).toMatchObject({ human: { profile: { lastName: "King" } } });
  const continued = await load(next, "--update");
  expect(continued.run).toBe(run);
  expect(continued.outcomes).toMatchObject({ updated: 2, same: 0 });
  expect(report(run)).toMatchObject([
    {
      changes: [
        { field: "profile.lastName", from: "Byron", to: "King" },
        { field: "metadata.plan" },
        { field: "profile.displayName" },
      ],
    },
    { outcome: "updated" },
  ]);
  expect(JSON.parse((await undo(run)).stdout)).toMatchObject({ restored: 2 });
  expect(await find("user-a")).toMatchObject({ human: { profile: { lastName: "Byron", displayName: "Ada Byron" } } });
  expect(readdirSync(folder).some((name) => /^updates-undone-/.test(name))).toBe(true);
});
