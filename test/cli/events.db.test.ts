import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { DATABASE_KINDS } from "../support/databases/database.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const processes = createProcesses();
afterAll(() => processes.close());

interface PrintedEvent {
  readonly position: string;
  readonly type: string;
  readonly objectId: string;
  readonly editorName: string | null;
  readonly payload: unknown;
}

describe.each(DATABASE_KINDS)("`signet events tail` on %s", (kind) => {
  let variables: Record<string, string>;
  let server: TestServer;
  let token: string;
  let onServer: string[];

  beforeAll(async () => {
    const installation = await processes.createInstallation(`events-${kind}`, kind);
    ({ variables } = installation);
    server = await processes.serve(variables);
    token = readToken(installation.tokenFile);
    onServer = ["--url", server.origin, "--token-file", installation.tokenFile];
  });

  async function importUser(userName: string): Promise<string> {
    const { status, body } = await send(server.origin, "POST", IMPORT_PATH, { token, body: human(userName) });
    expect(status).toBe(200);
    return body.userId;
  }

  const toEvents = (stdout: string): PrintedEvent[] =>
    stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));

  async function tail(...args: string[]): Promise<PrintedEvent[]> {
    const { code, stdout, stderr } = await processes.runHere(["events", "tail", "--json", ...args], variables);
    expect([code, stderr]).toEqual([0, ""]);
    return toEvents(stdout);
  }

  test("prints the latest events, oldest first, with filters", async () => {
    const userId = await importUser("first");
    const all = await tail("--limit", "1000");
    expect(all[0]).toMatchObject({ type: "instance.added", position: "1", editorName: null });
    const positions = all.map(({ position }) => Number(position));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    const [last] = await tail("--type", "user.human.added", "--limit", "1");
    expect(last).toMatchObject({ objectId: userId, editorName: "admin", payload: { userName: "first" } });
    expect(await tail("--object", userId)).toEqual(all.filter(({ objectId }) => objectId === userId));
    expect((await tail("--org", "default", "--limit", "1000")).map(({ type }) => type)).not.toContain("instance.added");
    expect(await tail("--after", "1", "--limit", "2")).toEqual(all.slice(1, 3));
    expect((await tail("--limit", "3")).map(({ position }) => position)).toEqual(
      all.slice(-3).map(({ position }) => position),
    );
    expect(await tail("--after", "1", "--limit", "2", ...onServer)).toEqual(all.slice(1, 3));
    const own = all.filter(({ objectId }) => objectId === userId);
    expect(await tail("--org", "default", "--object", userId, ...onServer)).toEqual(own);
  });

  test("prints a line for each event without --json", async () => {
    const userId = await importUser("second");
    const { stdout } = await processes.runHere(["events", "tail", "--object", userId], variables);
    expect(stdout).toMatch(
      new RegExp(`^\\d+  \\S+Z  user\\.human\\.added  ${userId}  by admin  \\{.*"second".*\\}\\n`),
    );
  });

  test("rejects an id that is not one, and an unknown organization", async () => {
    for (const args of [
      ["--object", "ada"],
      ["--org", "nowhere"],
    ]) {
      const { code, stderr } = await processes.runHere(["events", "tail", ...args], variables);
      expect([code, stderr]).toEqual([1, expect.stringContaining(String(args[1]))]);
    }
  });

  test.each(["the database", "a server"])("with --follow, prints new events of %s until a signal", async (place) => {
    const known = await importUser(`third on ${place}`);
    const tailing = processes.spawn(
      [
        ...["events", "tail", "--follow", "--json", "--limit", "1", "--type", "user.human.added"],
        ...(place === "a server" ? onServer : []),
      ],
      variables,
    );
    await until("the latest event is printed", () => tailing.stdout().includes(known));
    const userId = await importUser(`fourth on ${place}`);
    await until("the new event is printed", () => tailing.stdout().includes(userId));
    const { code } = await tailing.stop("SIGINT");
    expect(code).toBe(0);
    expect(toEvents(tailing.stdout()).map(({ objectId }) => objectId)).toEqual([known, userId]);
  });
});
