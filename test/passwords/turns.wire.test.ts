import { createVisitor, importAda, lastReceived, VISITED } from "../support/browsers/visitor.ts";
import {
  askHttp2,
  human,
  importBody,
  openHttp2,
  type RawProtocol,
  type RawResponse,
  rawRequest,
  readResponse,
} from "../support/clients/raw-calls.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const PASSWORD = "correct horse battery";

let service: TestService;
beforeAll(async () => {
  // With this cost, a hash takes long enough for calls to arrive while it runs. No call reaches its time limit.
  const limits = { BCRYPT_COST: "10", HASH_THREADS: "1", REQUEST_TIMEOUT_MS: "300000" };
  service = await startService("postgres", { ...VISITED, ...limits });
  service.secret(PASSWORD);
});
afterAll(() => service?.close());

let names = 0;

/** Imports with plaintext passwords that one caller sends at the same time, on one connection. */
function importMany(protocol: RawProtocol, token: string, count: number) {
  const session = openHttp2(service.port);
  const responses: RawResponse[] = [];
  for (let sent = 0; sent < count; sent++) {
    const body = importBody(protocol, human(`user-${++names}`, { password: PASSWORD }));
    askHttp2(session, rawRequest(protocol, body, { authorization: `Bearer ${token}` }))
      .then((response) => readResponse(protocol, response))
      .then((response) => responses.push(response))
      // Those that wait when the connection is closed.
      .catch(() => {});
  }
  return { responses, close: () => session.destroy() };
}

test("an import and a page complete while another organization's imports wait", async () => {
  const other = await service.createToken({ orgId: await service.createOrg("other"), role: "ORG_USER_MANAGER" });
  const { code } = await lastReceived(service, await importAda(service), "initialization");
  const flood = importMany("rest", service.adminToken, 40);
  await until("the first of many is answered", () => flood.responses.length > 0);

  const single = importMany("grpc", other.token, 1);
  const page = createVisitor(service).post("/ui/init", { code, password: PASSWORD, repeat: PASSWORD });
  await until("the other organization's import is answered", () => single.responses.length > 0);
  expect(single.responses).toMatchObject([{ code: 0 }]);
  expect(await page).toMatchObject({ status: 200 });
  // In the order of arrival, the other organization's import would have been the last.
  expect(flood.responses.length).toBeLessThan(35);
  flood.close();
  single.close();
});

test.each(["grpc", "rest", "connect-proto"] as const)(
  "canceled calls over %s free their places in the queue at once, while a hash runs",
  async (protocol) => {
    const canceled = () => service.logs.filter((line) => line.code === "canceled").length;
    const before = canceled();
    // One runs and 64 wait; some complete before the last ones arrive.
    const full = importMany(protocol, service.adminToken, 100);
    await until("the queue is full", () => full.responses.some(({ code }) => code === 14));
    full.close();
    await until("the calls that waited are canceled", () => canceled() >= before + 50);

    const next = importMany(protocol, service.adminToken, 30);
    await until("one of the next calls is answered", () => next.responses.length > 0);
    expect(next.responses).toMatchObject([{ code: 0 }]);
    next.close();
  },
);
