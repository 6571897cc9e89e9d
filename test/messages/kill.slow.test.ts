import { Agent, request as sendRequest } from "node:http";
import { join } from "node:path";
import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { MAX_IN_FLIGHT } from "../../src/messages/create-channel-delivery.ts";
import { human, IMPORT_PATH } from "../support/clients/send.ts";
import type { EmptyDatabase } from "../support/databases/empty-database.ts";
import { createCertificate, startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { createProcesses, readToken } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const MESSAGES = 300;
const BEFORE_KILL = 75;

const processes = createProcesses();
let database: EmptyDatabase;
let db: Database;
let smtp: TestSmtp;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await processes.createDatabase();
  db = connect({ url: database.url }, 1, () => {});
  smtp = await startSmtp();
  variables = {
    DATABASE_URL: database.url,
    DATA_DIR: join(processes.root, "kill"),
    PUBLIC_URL: "http://localhost:8080",
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    EMAIL_FROM: "Signet <no-reply@id.example.com>",
  };
});
afterAll(async () => {
  await processes.close();
  await db.destroy();
  await smtp.close();
});

/** Imports users, each with an email that is not verified. */
async function importUsers(origin: string, names: readonly string[]): Promise<void> {
  const token = readToken(join(variables.DATA_DIR ?? "", "admin.token"));
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const importOne = (name: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const body = { ...human(name), email: { email: `${name}@example.com` } };
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      sendRequest(new URL(IMPORT_PATH, origin), { method: "POST", agent, headers })
        .once("error", reject)
        .once("response", (response) => response.resume().once("end", () => resolve(response.statusCode)))
        .end(JSON.stringify(body));
    });
  const statuses = await Promise.all(names.map(importOne));
  agent.destroy();
  expect(new Set(statuses)).toEqual(new Set([200]));
}

const waiting = () =>
  db.selectFrom("messages").select(["id", "next_attempt_at"]).where("state", "=", "waiting").execute();

test("300 emails stay queued until SMTP_URL is set, and all arrive although one of two processes is killed", async () => {
  const first = await processes.serve(variables);
  expect(first.stdout()).toContain("Emails     queued until SMTP_URL is set\n");
  await until("the log says so", () => first.stderr().includes("SMTP_URL is not set: emails stay queued"));
  await importUsers(
    first.origin,
    Array.from({ length: MESSAGES }, (_, index) => `user${index}`),
  );
  expect(await waiting()).toHaveLength(MESSAGES);
  expect(await first.stop()).toMatchObject({ code: 0 });

  const withSmtp = { ...variables, SMTP_URL: smtp.url };
  // The server accepts messages once both processes are connected, so that both are in the middle of sending.
  const held = Promise.withResolvers<void>();
  smtp.hold = held.promise;
  const [killed, alive] = await Promise.all([processes.serve(withSmtp), processes.serve(withSmtp)]);
  await until("both send", () => smtp.holding === 2 * MAX_IN_FLIGHT);
  smtp.hold = undefined;
  held.resolve();
  await smtp.arrivals(BEFORE_KILL);
  await killed.stop("SIGKILL");
  expect(smtp.arrived.length).toBeLessThan(MESSAGES);

  // The other one sends all messages except those claimed by the killed one.
  const isClaimed = ({ next_attempt_at }: { next_attempt_at: Date | null }) => Number(next_attempt_at) > Date.now();
  await until("what is left is claimed", async () => (await waiting()).every(isClaimed) && smtp.holding === 0);
  expect(await alive.stop()).toMatchObject({ code: 0 });
  const left = await waiting();
  expect(left.length).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  expect(left.every(isClaimed)).toBe(true);
  // Time passes for that.
  await db.updateTable("messages").set({ next_attempt_at: new Date() }).where("state", "=", "waiting").execute();
  const next = await processes.serve(withSmtp);
  await until("all is sent", async () => (await waiting()).length === 0);
  expect(await next.stop()).toMatchObject({ code: 0 });

  const ids = smtp.arrived.map(({ email }) => email.messageId);
  const twice = ids.length - new Set(ids).size;
  expect(new Set(smtp.arrived.map(({ to }) => to)).size).toBe(MESSAGES);
  expect(new Set(ids).size).toBe(MESSAGES);
  expect(twice).toBeLessThanOrEqual(left.length);
  const sent = await db.selectFrom("messages").select(["state", "content", "attempts"]).execute();
  expect(sent.every(({ state, content }) => state === "sent" && content === null)).toBe(true);
  expect(sent.filter(({ attempts }) => attempts > 1)).toHaveLength(left.length);
  // Both were at work.
  expect(smtp.seen.most).toBe(2 * MAX_IN_FLIGHT);
});

const certificate = createCertificate(processes.root);
(certificate ? test : test.skip)(
  "an email is sent over TLS with a trusted certificate, a user and a password",
  async () => {
    const { cert, key, certFile = "" } = certificate ?? {};
    const logins: unknown[] = [];
    const secure = await startSmtp({
      secure: true,
      authOptional: false,
      ...(cert && key && { cert, key }),
      onAuth({ username, password }, _, next) {
        logins.push({ username, password });
        next(null, { user: username ?? "" });
      },
    });
    const password = processes.secret("smtp-p@ss%word");
    const server = await processes.serve({
      ...variables,
      NODE_EXTRA_CA_CERTS: certFile,
      SMTP_URL: `smtps://signet:${encodeURIComponent(password)}@localhost:${secure.port}`,
    });
    expect(server.stdout()).toContain(`Emails     sent by SMTP to localhost:${secure.port}\n`);
    await importUsers(server.origin, ["ada"]);
    const [arrived] = await secure.arrivals(1);
    expect(arrived?.to).toBe("ada@example.com");
    expect(logins).toEqual([{ username: "signet", password }]);
    expect(await server.stop()).toMatchObject({ code: 0 });
    await secure.close();
  },
);
