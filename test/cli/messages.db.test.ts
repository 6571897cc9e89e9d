import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { createProcesses, type Ended, readToken, type TestServer } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import { until } from "../support/until.ts";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOWHERE = "01a1fe33-9366-78de-bdd6-00b87474001a";

const processes = createProcesses();
afterAll(() => processes.close());

test("`signet messages list` shows that an email waits for SMTP_URL", async () => {
  const installation = await processes.createInstallation("no-mail-server");
  const service = await serveHere(installation);
  const body = { ...human("ada"), email: { email: "ada@example.com" } };
  const { adminToken: token } = service;
  expect(await send(service.origin, "POST", IMPORT_PATH, { token, body })).toMatchObject({ status: 200 });
  const { stdout } = await processes.runHere(["messages", "list", "--json"], installation.variables);
  expect(JSON.parse(stdout)).toMatchObject([
    { recipient: "ada@example.com", state: "waiting", attempts: 0, lastError: "queued until SMTP_URL is set" },
  ]);
  await service.close();
});

// test/cli/commands-embedded.db.test.ts has representatives on the embedded database.
describe("signet messages", () => {
  let variables: Record<string, string>;
  let server: TestServer;
  let token: string;
  /** The options that name the server. */
  let onServer: string[];
  let smtp: TestSmtp;
  let db: Database;
  const userIds = new Map<string, string>();

  beforeAll(async () => {
    smtp = await startSmtp();
    smtp.answers.rcpt = (to) => {
      if (to.startsWith("refused")) return { code: 550, text: "5.1.1 no such user" };
      return to.startsWith("later") ? { code: 451, text: "4.7.1 later" } : undefined;
    };
    const { variables: own, address, tokenFile } = await processes.createInstallation("messages");
    variables = { ...own, SMTP_URL: smtp.url, EMAIL_FROM: "Signet <no-reply@id.example.com>" };
    server = await processes.serve(variables);
    token = readToken(tokenFile);
    onServer = ["--url", server.origin, "--token-file", tokenFile];
    for (const name of ["taken", "refused", "later"]) {
      const body = { ...human(name), email: { email: `${name}@example.com` } };
      const answer = await send(server.origin, "POST", IMPORT_PATH, { token, body });
      userIds.set(name, answer.body.userId);
    }
    await smtp.arrivals(1);
    // The waiting message must not become due during the tests.
    db = connect(address, 1, () => {});
    await until("it waits", async () => {
      const { numUpdatedRows } = await db
        .updateTable("messages")
        .set({ next_attempt_at: new Date(Date.now() + 3_600_000) })
        .where("recipient", "=", "later@example.com")
        .where("last_error", "is not", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  });
  afterAll(async () => {
    // No process may print what was sent.
    for (const { email } of smtp.arrived) processes.secret(/code=[\w.-]+/.exec(email.text ?? "")?.[0] ?? "no link");
    await smtp.close();
    await db.destroy();
  });

  const signet = (...args: string[]): Promise<Ended> => processes.runHere(["messages", ...args], variables);

  /** Expects success, and returns the JSON value that the command printed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is in it
  async function json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await signet(...args, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  }

  /** The message of a user as the command lists it, once the database has it in this state. */
  async function messageIn(state: "waiting" | "sending" | "failed" | "sent", name: string) {
    const recipient = `${name}@example.com`;
    const stored = state === "sending" ? "waiting" : state;
    await until(`the message of ${name} is ${state}`, () =>
      db
        .selectFrom("messages")
        .select("id")
        .where("recipient", "=", recipient)
        .where("state", "=", stored)
        .executeTakeFirst(),
    );
    const list: { recipient: string }[] = await json("list", "--state", state);
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is in it
    return list.find((message) => message.recipient === recipient) as any;
  }

  test("list shows messages that are not sent and the reason, or the messages in one state", async () => {
    const taken = await messageIn("sent", "taken");
    const refused = await messageIn("failed", "refused");
    const later = await messageIn("waiting", "later");
    expect(taken).toEqual({
      id: expect.stringMatching(ID),
      orgId: expect.stringMatching(ID),
      userId: userIds.get("taken"),
      channel: "email",
      recipient: "taken@example.com",
      state: "sent",
      attempts: 1,
      createdAt: expect.stringMatching(TIME),
      nextAttemptAt: null,
      endedAt: expect.stringMatching(TIME),
      lastError: null,
    });
    expect(refused).toMatchObject({ state: "failed", lastError: "SMTP: RCPT TO returned 550 5.1.1" });
    expect(later).toMatchObject({ endedAt: null, lastError: "SMTP: RCPT TO returned 451 4.7.1" });
    expect(later.nextAttemptAt).toMatch(TIME);

    const { code, stdout } = await signet("list");
    expect(code).toBe(0);
    const [heading, ...rows] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(heading).toEqual(["ID", "QUEUED", "CHANNEL", "TO", "STATE", "TRIED", "NEXT", "LAST ERROR"]);
    expect(rows.map((row) => [...row.slice(0, 4), row.at(-1)])).toEqual([
      [refused.id, refused.createdAt, "email", "refused@example.com", "SMTP: RCPT TO returned 550 5.1.1"],
      [later.id, later.createdAt, "email", "later@example.com", "SMTP: RCPT TO returned 451 4.7.1"],
    ]);
    expect(await json("list", "--state", "expired")).toEqual([]);
    expect(await json("list", "--limit", "1")).toMatchObject([{ id: later.id }]);
    expect(await signet("list", "--state", "lost")).toMatchObject({ code: 2 });
    expect(await signet("list", "--limit", "0")).toMatchObject({ code: 2 });
  });

  test("list shows the messages to a recipient or since a time in any state, or in one state", async () => {
    const taken = await messageIn("sent", "taken");
    const refused = await messageIn("failed", "refused");
    expect(await json("list", "--to", " TAKEN@example.com")).toEqual([taken]);
    expect(await json("list", "--to", "taken@example.com", "--state", "failed")).toEqual([]);
    expect(await json("list", "--to", "nobody@example.com")).toEqual([]);
    expect(await json("list", "--since", taken.createdAt, "--to", "taken@example.com")).toEqual([taken]);
    const after = new Date(Date.parse(taken.createdAt) + 1).toISOString();
    expect(await json("list", "--since", after)).not.toContainEqual(taken);
    expect(await json("list", "--since", "2026-01-01")).toEqual(expect.arrayContaining([taken, refused]));
    expect(await json("list", "--since", "2026-01-01T00:00+02:00", "--state", "failed")).toEqual([refused]);
    expect(await json("list", "--since", "9999-12-31")).toEqual([]);
    for (const since of ["yesterday", "2026-02-30", "2026-13-01", "2026-01-01T00:00", "2026-01-01T25:00Z", "1"]) {
      const { code, stderr } = await signet("list", "--since", since);
      expect([since, code, stderr]).toEqual([since, 2, expect.stringContaining("Expected a date such as 2026-11-24")]);
    }
  });

  test("show prints one message without its content", async () => {
    const refused = await messageIn("failed", "refused");
    expect(await json("show", refused.id)).toEqual(refused);
    const { code, stdout } = await signet("show", refused.id);
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["id", refused.id],
      ["org", refused.orgId],
      ["user", refused.userId],
      ["channel", "email"],
      ["to", "refused@example.com"],
      ["state", "failed"],
      ["queued", refused.createdAt],
      ["tried", "1"],
      ["next"],
      ["ended", refused.endedAt],
      ["last error", "SMTP: RCPT TO returned 550 5.1.1"],
      [""],
    ]);
    for (const id of [NOWHERE, "nothing"]) {
      const line = `signet: no message has the id "${id}"\n`;
      expect(await signet("show", id)).toMatchObject({ code: 1, stdout: "", stderr: line });
      expect(await signet("retry", id)).toMatchObject({ code: 1, stdout: "", stderr: line });
    }
  });

  test("retry sends a failed and a waiting message, and fails for a sent one", async () => {
    const taken = await messageIn("sent", "taken");
    expect(await signet("retry", taken.id)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `signet: cannot resend message ${taken.id}: it has been sent, and its content has been erased\n`,
    });
    const refused = await messageIn("failed", "refused");
    const later = await messageIn("waiting", "later");
    delete smtp.answers.rcpt;
    const { code, stdout } = await signet("retry", refused.id);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${refused.id} will be sent now; check the result with \`signet messages show ${refused.id}\`\n`,
    });
    expect(await json("retry", later.id)).toEqual({ id: later.id });
    await smtp.arrivals(3);
    expect(await messageIn("sent", "refused")).toMatchObject({ attempts: 2, lastError: null });
    await messageIn("sent", "later");
    expect(smtp.arrived.map(({ to }) => to).sort()).toEqual(
      ["later", "refused", "taken"].map((name) => `${name}@example.com`),
    );
    expect(await json("list")).toEqual([]);
  });

  test("on a server, messages are listed, shown and sent again as on the database", async () => {
    smtp.answers.rcpt = (to) => (to.startsWith("remote") ? { code: 550, text: "5.1.1 no such user" } : undefined);
    const body = { ...human("remote"), email: { email: "remote@example.com" } };
    userIds.set("remote", (await send(server.origin, "POST", IMPORT_PATH, { token, body })).body.userId);
    const failed = await messageIn("failed", "remote");
    const taken = await messageIn("sent", "taken");
    expect(failed).toMatchObject({ userId: userIds.get("remote"), attempts: 1 });
    expect(await json("list", ...onServer)).toEqual([failed]);
    expect((await signet("list", ...onServer)).stdout).toBe((await signet("list")).stdout);
    expect(await json("list", "--to", " TAKEN@example.com", ...onServer)).toEqual([taken]);
    expect(await json("list", "--to", "taken@example.com", "--state", "failed", ...onServer)).toEqual([]);
    expect(await json("list", "--state", "failed", ...onServer)).toEqual([failed]);
    expect(await json("list", "--since", failed.createdAt, ...onServer)).toEqual([failed]);
    expect(await json("list", "--since", "2026-01-01", ...onServer)).toEqual(expect.arrayContaining([taken, failed]));
    expect(await json("list", "--since", "2026-01-01", "--limit", "1", ...onServer)).toEqual([failed]);
    expect(await json("list", "--since", "9999-12-31", ...onServer)).toEqual([]);

    expect(await json("show", taken.id, ...onServer)).toEqual(taken);
    expect((await signet("show", failed.id, ...onServer)).stdout).toBe((await signet("show", failed.id)).stdout);
    for (const id of [NOWHERE, "nothing"]) {
      const line = `signet: no message has the id "${id}"\n`;
      expect(await signet("show", id, ...onServer)).toMatchObject({ code: 1, stdout: "", stderr: line });
      expect(await signet("retry", id, ...onServer)).toMatchObject({ code: 1, stdout: "", stderr: line });
    }
    const { code, stderr } = await signet("retry", taken.id, ...onServer);
    expect([code, stderr]).toEqual([1, expect.stringContaining("(MESSAGE_STATE)")]);
    delete smtp.answers.rcpt;
    expect(await json("retry", failed.id, ...onServer)).toEqual({ id: failed.id });
    expect(await messageIn("sent", "remote")).toMatchObject({ attempts: 2, lastError: null });
  });

  test("retry fails for a message that is being sent, which would be sent twice", async () => {
    const held = Promise.withResolvers<void>();
    smtp.hold = held.promise;
    const body = { ...human("slow"), email: { email: "slow@example.com" } };
    expect(await send(server.origin, "POST", IMPORT_PATH, { token, body })).toMatchObject({ status: 200 });
    await until("the server has it", () => smtp.holding === 1);
    const slow = await messageIn("sending", "slow");
    expect(await json("list")).toMatchObject([{ id: slow.id, state: "sending" }]);
    expect(await json("list", "--state", "waiting")).toEqual([]);
    expect(await signet("retry", slow.id)).toMatchObject({
      code: 1,
      stderr: `signet: cannot resend message ${slow.id}: it is being sent, and is retried automatically if that fails\n`,
    });
    held.resolve();
    await messageIn("sent", "slow");
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});
