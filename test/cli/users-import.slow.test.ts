import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { UpdateLine } from "../../src/moving/report/update-journal.ts";
import { plainOf } from "../../src/moving/running/value-text.ts";
import { send } from "../support/clients/send.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";

const USERS = 4_000;
const KILLS = 20;
const HASH = "$2a$04$zVHmKQtGGQob.b/Nc7l9NO8UlrYcW05FiuCj/SxsFO/ZtiN9.mNzy";
const processes = createProcesses();
afterAll(() => processes.close());

let server: TestServer;
let variables: Record<string, string>;
let tokenFile: string;
let token: string;
let orgs = 0;

beforeAll(async () => {
  const installation = await processes.createInstallation("users-import-killed");
  variables = installation.variables;
  tokenFile = installation.tokenFile;
  server = await processes.serve(variables);
  token = readToken(tokenFile);
});

/** A new organization, and the arguments of an import into it. */
async function createImport(place: "server" | "database") {
  orgs += 1;
  const { stdout } = await processes.runHere(["org", "create", `killed ${orgs}`, "--json"], variables);
  const orgId: string = JSON.parse(stdout).id;
  const folder = join(processes.root, `import-${orgs}`);
  mkdirSync(folder);
  const file = join(folder, "users.ndjson");
  const lines = Array.from({ length: USERS }, (_, n) => {
    const user = {
      id: `${n}`,
      userName: `user-${n}`,
      firstName: "Ada",
      lastName: "Lovelace",
      email: `u${n}@example.com`,
    };
    return `${JSON.stringify({ ...user, emailVerified: true, passwordHash: HASH })}\n`;
  });
  writeFileSync(file, lines.join(""));
  const runs = join(folder, "runs");
  const target = place === "server" ? ["--url", server.origin, "--token-file", tokenFile] : [];
  const options = [
    "--from",
    "signet",
    "--subjects",
    "new",
    "--org",
    orgId,
    "--runs",
    runs,
    "--concurrency",
    "4",
    "--yes",
    "--json",
  ];
  return { orgId, runs, args: ["users", "import", file, ...options, ...target] };
}

/** All lines of the report. */
function readReport(runs: string) {
  const [folder = ""] = readdirSync(runs);
  return readRun<{ n: number; sourceId: string; outcome: string; userId: string }>(runs, folder, "report.ndjson");
}

/** All lines of a file of a run. */
function readRun<Line>(runs: string, run: string, name: string): Line[] {
  const lines = readFileSync(join(runs, run, name), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Waits until the report or another file of a run changes its size, and up to 0.3 s longer. */
async function waitForWriting(runs: string, stopped: AbortSignal, name = "report.ndjson"): Promise<void> {
  const readSize = () => {
    const folders = existsSync(runs) ? readdirSync(runs) : [];
    const sizes = folders.map((folder) => statSync(join(runs, folder, name), { throwIfNoEntry: false })?.size ?? 0);
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const before = readSize();
  while (readSize() === before && !stopped.aborted) await wait(5);
  await wait(Math.random() * 300);
}

/** The ids of all people by user name. */
async function readPeople(orgId: string): Promise<Map<string, string>> {
  const people = new Map<string, string>();
  for await (const { id, userName } of listUsers(orgId)) {
    expect(people.has(userName)).toBe(false);
    people.set(userName, id);
  }
  return people;
}

interface ListedUser {
  readonly id: string;
  readonly userName: string;
  readonly human?: {
    readonly profile: { readonly firstName: string; readonly lastName: string };
    readonly email: { readonly email: string };
    readonly phone?: { readonly phone: string };
  };
}

async function* listUsers(orgId: string, queries: readonly object[] = []): AsyncGenerator<ListedUser> {
  let pageToken = "";
  do {
    const { body } = await send(server.origin, "POST", "/management/v1/users/_search", {
      token,
      body: { query: { limit: 1000, asc: true, pageToken }, queries },
      headers: { "x-service-orgid": orgId },
    });
    yield* body.result ?? [];
    pageToken = body.details.nextPageToken ?? "";
  } while (pageToken !== "");
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Asserts that each user was imported once, and that the report says so. */
async function expectEachOnce(orgId: string, runs: string): Promise<void> {
  const people = await readPeople(orgId);
  const report = readReport(runs);
  expect(people.size).toBe(USERS);
  expect(report).toHaveLength(USERS);
  const wrong = report.filter(
    ({ n, sourceId, outcome, userId }) =>
      outcome !== "imported" || sourceId !== `${n}` || people.get(`user-${n}`) !== userId,
  );
  expect(wrong).toEqual([]);
}

test.each(["server", "database"] as const)(
  "after kills at random moments, each user is there once, on a %s",
  async (place) => {
    let kills = 0;
    while (kills < KILLS) {
      const { orgId, runs, args } = await createImport(place);
      for (;;) {
        const running = processes.spawn(args, variables);
        // Every second kill hits the process while it writes.
        const ended = new AbortController();
        const moment = kills % 2 === 0 ? wait(Math.random() * 2_500) : waitForWriting(runs, ended.signal);
        const outcome = await Promise.race([running.ended, moment]);
        ended.abort();
        if (outcome === undefined && kills < KILLS) {
          kills += 1;
          await running.stop("SIGKILL");
          continue;
        }
        const { code, stdout, stderr } = await running.ended;
        expect({ code, stderr }).toMatchObject({ code: 0 });
        expect(JSON.parse(stdout)).toMatchObject({
          isComplete: true,
          outcomes: { imported: USERS, same: 0, refused: 0 },
        });
        break;
      }
      await expectEachOnce(orgId, runs);
    }
  },
);

test("Ctrl-C ends the import with 130, and the same command continues", async () => {
  const { orgId, runs, args } = await createImport("server");
  const running = processes.spawn(args, variables);
  await waitForWriting(runs, new AbortController().signal);
  const { code, stdout } = await running.stop("SIGINT");
  const { isComplete, outcomes } = JSON.parse(stdout);
  expect([code, isComplete]).toEqual([130, false]);
  expect(readReport(runs)).toHaveLength(outcomes.imported);
  expect(outcomes.imported).toBeLessThan(USERS);
  expect((await processes.run(args, variables)).code).toBe(0);
  await expectEachOnce(orgId, runs);
});

test("after kills at random moments of an update, each user is as in the file, and each earlier value is noted once", async () => {
  const { orgId, runs, args } = await createImport("server");
  // Each file changes all users of the one before, and adds some.
  const peopleOf = (round: number) =>
    Array.from({ length: 200 + 20 * round }, (_, n) => ({
      ...{ userName: `user-${n}`, firstName: "Ada", lastName: `King ${round}` },
      ...{ email: `u${n}@${round}.example.com`, phone: `+4179${1_000_000 + 10_000 * round + n}` },
    }));
  const writeFile = (round: number) => {
    const lines = peopleOf(round).map((person, n) => {
      const rest = { emailVerified: true, phoneVerified: true, metadata: { round: `${round}` } };
      return `${JSON.stringify({ id: `${n}`, ...person, ...rest })}\n`;
    });
    writeFileSync(args[2] ?? "", lines.join(""));
  };
  const expectPeople = async (round: number) => {
    const people = peopleOf(round);
    const listed = (await collect(listUsers(orgId))).map(({ userName, human }) => {
      const { firstName, lastName } = human?.profile ?? {};
      return { userName, firstName, lastName, email: human?.email.email, phone: human?.phone?.phone };
    });
    const byName = new Map(listed.map((each) => [each.userName, each]));
    expect(listed).toHaveLength(people.length);
    expect(people.map(({ userName }) => byName.get(userName))).toEqual(people);
    const metadataQuery = { key: "round", value: Buffer.from(`${round}`).toString("base64") };
    expect(await collect(listUsers(orgId, [{ metadataQuery }]))).toHaveLength(people.length);
  };
  writeFile(0);
  expect((await processes.run(args, variables)).code).toBe(0);
  await expectPeople(0);

  let kills = 0;
  let round = 0;
  let run = "";
  while (kills < KILLS) {
    round += 1;
    writeFile(round);
    for (;;) {
      const running = processes.spawn([...args, "--update"], variables);
      // Every second kill hits the process while it changes users, and the others the check or the first calls.
      const ended = new AbortController();
      const name = kills % 2 === 0 ? "check.ndjson" : "updates.ndjson";
      const outcome = await Promise.race([running.ended, waitForWriting(runs, ended.signal, name)]);
      ended.abort();
      if (outcome === undefined && kills < KILLS) {
        kills += 1;
        await running.stop("SIGKILL");
        continue;
      }
      const { code, stdout, stderr } = await running.ended;
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const result = JSON.parse(stdout);
      const updated = peopleOf(round - 1).length;
      expect(result.outcomes).toMatchObject({ imported: 20, updated, same: 0, differs: 0, refused: 0 });
      run = result.run;
      break;
    }
    console.error("round", round, "kills", kills, process.uptime());
    await expectPeople(round);
    const [before, after] = [peopleOf(round - 1), peopleOf(round)];
    const report = readRun<{ n: number }>(runs, run, "report.ndjson");
    expect(report.map(({ n }) => n).sort((one, other) => one - other)).toEqual(after.map((_, n) => n));
    const noted = readRun<UpdateLine>(runs, run, "updates.ndjson").flatMap(({ n, changes }) =>
      changes.map(({ field, from }) => `${n} ${field} ${plainOf(from)}`),
    );
    const earlier = before.flatMap(({ firstName, lastName, email, phone }, n) => [
      ...[`${n} profile.lastName ${lastName}`, `${n} profile.displayName ${firstName} ${lastName}`],
      ...[`${n} email ${email}`, `${n} phone ${phone}`],
      `${n} metadata.round ${Buffer.from(`${round - 1}`).toString("base64")}`,
    ]);
    expect(noted.sort()).toEqual(earlier.sort());
  }
  const target = ["--url", server.origin, "--token-file", tokenFile];
  const undone = await processes.run(["users", "undo", run, "--runs", runs, "--yes", "--json", ...target], variables);
  expect(JSON.parse(undone.stdout)).toMatchObject({ removed: 20, changedSince: 0, refused: [], isComplete: true });
  await expectPeople(round - 1);
});

test("while the server is away, the import waits for it", async () => {
  const { orgId, runs, args } = await createImport("server");
  const running = processes.spawn(args, variables);
  await waitForWriting(runs, new AbortController().signal);
  const { port } = new URL(server.origin);
  await server.stop("SIGKILL");
  server = await processes.serve({ ...variables, PORT: port });
  expect((await running.ended).code).toBe(0);
  await expectEachOnce(orgId, runs);
  expect(existsSync(runs)).toBe(true);
});
