import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
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
  const folder = readdirSync(runs)[0] ?? "";
  return readFileSync(join(runs, folder, "report.ndjson"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line): { n: number; sourceId: string; outcome: string; userId: string } => JSON.parse(line));
}

/** Waits until the report grows, and up to 0.3 s longer. */
async function waitForWriting(runs: string, stopped: AbortSignal): Promise<void> {
  const readSize = () => {
    const [folder = ""] = existsSync(runs) ? readdirSync(runs) : [];
    return statSync(join(runs, folder, "report.ndjson"), { throwIfNoEntry: false })?.size ?? 0;
  };
  const before = readSize();
  while (readSize() === before && !stopped.aborted) await wait(5);
  await wait(Math.random() * 300);
}

/** The ids of all people by user name. */
async function readPeople(orgId: string): Promise<Map<string, string>> {
  const people = new Map<string, string>();
  let pageToken = "";
  do {
    const { body } = await send(server.origin, "POST", "/management/v1/users/_search", {
      token,
      body: { query: { limit: 1000, asc: true, pageToken } },
      headers: { "x-service-orgid": orgId },
    });
    for (const { id, userName } of body.result ?? []) {
      expect(people.has(userName)).toBe(false);
      people.set(userName, id);
    }
    pageToken = body.details.nextPageToken ?? "";
  } while (pageToken !== "");
  return people;
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
