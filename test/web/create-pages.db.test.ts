import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { createRecentCredentials } from "../../src/access/recent-credentials.ts";
import { createBrandings } from "../../src/branding/create-brandings.ts";
import { readConfig } from "../../src/config.ts";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { createRunTogether } from "../../src/database/run-together.ts";
import { SignetError } from "../../src/errors.ts";
import { createSamlThread } from "../../src/idps/saml/saml-thread.ts";
import { createOutbox } from "../../src/messages/outbox.ts";
import { createOidc } from "../../src/oidc/create-oidc.ts";
import { createHasher } from "../../src/passwords/hasher.ts";
import { createFailedSignIns } from "../../src/sign-in/failed-sign-ins.ts";
import { createPages } from "../../src/web/create-pages.ts";
import type { PageRequest } from "../../src/web/frame/page.ts";
import { createTestDatabase, environment, type TestDatabase, watchQueries } from "../support/databases/database.ts";

const passwords = createHasher({ cost: 4, threads: 1 });
afterAll(() => passwords.close());

function createTestPages(db: Database) {
  const config = readConfig({});
  const { publicUrl } = config;
  const keyring = createKeyring([randomBytes(32)]);
  const outbox = createOutbox({ keyring, publicUrl, sendsEmail: true, sendsSms: true, onQueued() {} });
  const clock = () => new Date();
  const log = pino({ enabled: false });
  const brandings = createBrandings({ db, clock });
  const runTogether = createRunTogether(db);
  const { mounts: _, ...oidc } = createOidc({
    brandings,
    config,
    db,
    runTogether,
    keyring,
    clock,
    recentCredentials: createRecentCredentials(),
    log,
  });
  return createPages({
    brandings,
    config,
    db,
    runTogether,
    keyring,
    passwords,
    outbox,
    clock,
    log,
    eraseFiles: async () => {},
    saml: createSamlThread(),
    failedSignIns: createFailedSignIns(),
    ...oidc,
  });
}

const request = (method: string, path: string, more: Partial<PageRequest> = {}): PageRequest => ({
  method,
  path,
  query: new URLSearchParams("code=x"),
  headers: { "content-type": "application/x-www-form-urlencoded", "accept-language": "es" },
  address: "192.0.2.1",
  requestId: "r-1",
  refusal: undefined,
  signal: new AbortController().signal,
  readBody: async () => Buffer.from("code=x"),
  ...more,
});

const PAGES = [
  ["GET", "/ui/init"],
  ["POST", "/ui/init"],
  ["GET", "/ui/phone"],
  ["POST", "/ui/phone"],
] as const;

describe("without a database", () => {
  const url = new URL(environment("TEST_POSTGRES_URL"));
  url.pathname = "/not_there";
  const db = connect({ url: url.href }, 1, () => {});
  const servePage = createTestPages(db);
  afterAll(() => db.destroy());

  test.each(PAGES)("%s %s results in 503 with a retry delay", async (method, path) => {
    const response = await servePage(request(method, path));
    expect(response.status).toBe(503);
    expect(response.headers).toMatchObject({ "retry-after": "10", "cache-control": "no-store" });
    expect(response.body).toContain("Vuelva a intentarlo dentro de un momento");
    expect(response.cause).toMatchObject({ reason: "UNAVAILABLE" });
  });

  test("pages that need no database are served", async () => {
    expect((await servePage(request("GET", "/ui/style.css"))).status).toBe(200);
    expect((await servePage(request("GET", "/ui/nothing"))).status).toBe(404);
  });
});

describe("when the signal is aborted", () => {
  let database: TestDatabase;
  let queries = 0;
  let onQuery = () => {};
  let servePage: ReturnType<typeof createTestPages>;
  beforeAll(async () => {
    database = await createTestDatabase("postgres");
    servePage = createTestPages(
      watchQueries(database.db, () => {
        queries++;
        onQuery();
      }),
    );
  });
  afterAll(() => database?.close());

  test.each(PAGES)("%s %s runs no query", async (method, path) => {
    queries = 0;
    const response = await servePage(request(method, path, { signal: AbortSignal.abort() }));
    expect(response.status).toBe(503);
    expect(queries).toBe(0);
  });

  test("no query follows the running one, and the response does not wait for it", async () => {
    queries = 0;
    const controller = new AbortController();
    const running = Promise.withResolvers<void>();
    onQuery = () => {
      controller.abort();
      running.resolve();
    };
    const response = await servePage(request("GET", "/ui/init", { signal: controller.signal }));
    await running.promise;
    onQuery = () => {};
    expect(response).toMatchObject({ status: 503, headers: { "retry-after": "10" } });
    // The only query is the lookup of the code. The failure is not counted in the database.
    expect(queries).toBe(1);
    expect(await database.db.selectFrom("rate_limits").selectAll().execute()).toEqual([]);
  });

  test("a form that did not arrive in time is 408", async () => {
    const readBody = () => Promise.reject(new SignetError("DEADLINE_EXCEEDED", "late"));
    const response = await servePage(request("POST", "/ui/init", { signal: AbortSignal.abort(), readBody }));
    expect(response.status).toBe(408);
  });
});
