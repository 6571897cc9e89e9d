import { createProcessMetrics } from "../../src/telemetry/metrics-registry.ts";
import { createPerson } from "../support/browsers/person.ts";
import { createVisitor, importAda, VISITED } from "../support/browsers/visitor.ts";
import { createCaller, PROTOCOLS } from "../support/clients/callers.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { difference, parseMetrics, type Samples } from "../support/telemetry/prometheus.ts";

const UPDATE = "signet.v1.ManagementService/UpdateHumanPhone";
const PASSWORD = "analytical engine no. 1";

const collected = createProcessMetrics({ version: "1.2.3", node: "v24.0.0" });
const read = async () => parseMetrics(await collected.print());

let service: TestService;
let app: RelyingParty;
let userId: string;
let before: Samples;

beforeAll(async () => {
  service = await startService("postgres", VISITED, { metrics: collected.metrics });
  service.stopClock();
  app = await createRelyingParty(service);
  service.secret(PASSWORD);
  const email = { email: "ada@example.com", isEmailVerified: true };
  userId = await importAda(service, { userName: "ada", email, password: PASSWORD });
});
beforeEach(async () => {
  before = await read();
});
afterAll(async () => {
  await service.close();
  collected.close();
});

const changes = async () => difference(before, await read());

describe("a call", () => {
  test.each(PROTOCOLS)("over %s is counted by method, protocol and code", async (protocol) => {
    const caller = createCaller(protocol, service, service.adminToken);
    await caller.call("UpdateHumanPhone", { userId, phone: "+41791234567" });
    await caller.call("UpdateHumanPhone", { userId, phone: "none" });
    await caller.call("UpdateHumanPhone", { userId, phone: "+41791234567" }, { authorization: "Bearer x" });
    caller.close();
    const series = (code: string) =>
      `signet_rpc_duration_seconds_count{method="${UPDATE}",protocol="${protocol}",code="${code}"}`;
    expect(await changes()).toEqual({
      [series("ok")]: 1,
      [series("invalid_argument")]: 1,
      [series("unauthenticated")]: 1,
      // The statement of a successful call checks the caller itself.
      'signet_database_commands_count{operation="find_token"}': 1,
      'signet_database_commands_count{operation="update_human_phone"}': 1,
    });
  });

  test("has its duration in seconds in the buckets", async () => {
    const caller = createCaller("rest", service, service.adminToken);
    await caller.call("GetUserByID", { id: userId });
    const ms = Number(service.logs.at(-1)?.ms);
    const after = await read();
    const labels = 'method="signet.v1.ManagementService/GetUserByID",protocol="rest",code="ok"';
    expect(after.get(`signet_rpc_duration_seconds_sum{${labels}}`)).toBeCloseTo(ms / 1_000, 9);
    const bucket = (le: string) => after.get(`signet_rpc_duration_seconds_bucket{le="${le}",${labels}}`);
    expect([bucket("0.001"), bucket("10"), bucket("+Inf")]).toEqual([ms > 1 ? 0 : 1, 1, 1]);
  });

  test("that arrives with others shares statements with them", async () => {
    const caller = createCaller("grpc", service, service.adminToken);
    const sent = Array.from({ length: 40 }, () => importAda(service));
    await Promise.all(sent);
    caller.close();
    const after = await read();
    const ofImports = (name: string) => {
      const series = `signet_database_commands_${name}{operation="import_human_user"}`;
      return (after.get(series) ?? 0) - (before.get(series) ?? 0);
    };
    expect(ofImports("sum")).toBe(40);
    expect(ofImports("count")).toBeLessThan(40);
  });
});

test("paths, methods and types that do not exist share one series for each wire and code", async () => {
  const hostile = Array.from({ length: 20 }, (_, number) => `x${number}"}\n{${"y".repeat(number)}`);
  for (const text of hostile) {
    const path = encodeURIComponent(text);
    await fetch(`${service.origin}/management/v1/${path}`);
    await fetch(`${service.origin}/management/v1/users/human/_import`, { method: "DELETE" });
    const headers = { "content-type": "application/grpc-web" };
    await fetch(`${service.origin}/signet.v1.ManagementService/${path}`, { method: "POST", headers });
    await fetch(`${service.origin}/ui/${path}`);
    await fetch(`${service.origin}/ui/sign-in/${path}`);
    await fetch(`${service.origin}/ui/sign-in/${text.length}/constructor`);
    await fetch(`${service.origin}/ui/sign-in/some-sign-in-${text.length}`);
    await fetch(`${service.origin}/oauth/v2/authorize/some-${text.length}`);
    await fetch(`${service.origin}/oauth/v2/authorize?client_id=${path}`);
  }
  expect(await changes()).toEqual({
    'signet_rpc_duration_seconds_count{method="unknown",protocol="rest",code="not_found"}': 20,
    'signet_rpc_duration_seconds_count{method="unknown",protocol="rest",code="unimplemented"}': 20,
    'signet_rpc_duration_seconds_count{method="unknown",protocol="grpc-web",code="unimplemented"}': 20,
    'signet_page_duration_seconds_count{route="unknown",status="404"}': 60,
    'signet_page_duration_seconds_count{route="/ui/sign-in/:id",status="410"}': 20,
    'signet_page_duration_seconds_count{route="/oauth/v2/authorize/:id",status="400"}': 20,
    'signet_page_duration_seconds_count{route="/oauth/v2/authorize",status="400"}': 20,
  });
});

describe("a sign-in", () => {
  const openSignIn = async () => {
    const person = createPerson(service);
    return { person, page: await person.open(createRequest(app).url) };
  };

  test("is counted by the outcome of its password, and when it is complete", async () => {
    const { person, page } = await openSignIn();
    const failed = await person.submit(page, { username: "ada", password: "wrong" });
    expect(failed.status).toBe(422);
    await person.submit(failed, { username: "ada", password: PASSWORD });
    expect(await changes()).toMatchObject({
      'signet_sign_in_checks_total{method="password",outcome="failure"}': 1,
      'signet_sign_in_checks_total{method="password",outcome="success"}': 1,
      signet_sign_ins_total: 1,
      'signet_hash_duration_seconds_count{operation="verify"}': 2,
      'signet_hash_wait_seconds_count{operation="verify"}': 2,
      'signet_page_duration_seconds_count{route="/oauth/v2/authorize",status="303"}': 1,
      'signet_page_duration_seconds_count{route="/ui/sign-in/:id",status="200"}': 1,
      'signet_page_duration_seconds_count{route="/ui/sign-in/:id",status="422"}': 1,
      'signet_page_duration_seconds_count{route="/ui/sign-in/:id",status="303"}': 2,
    });
  });

  test("with too many failures is throttled", async () => {
    const { person, page } = await openSignIn();
    let last = page;
    for (let count = 0; count < 11; count += 1) {
      last = await person.submit(last, { username: "nobody", password: "wrong" });
    }
    expect(last.status).toBe(429);
    expect(await changes()).toMatchObject({
      'signet_sign_in_checks_total{method="password",outcome="failure"}': 10,
      'signet_sign_in_checks_total{method="password",outcome="throttled"}': 1,
    });
  });
});

test("links with wrong codes are limited", async () => {
  const visitor = createVisitor(service);
  for (let count = 0; count < 31; count += 1) await visitor.open(`/ui/init?code=${"x".repeat(20)}.${count}`);
  expect(await changes()).toMatchObject({ 'signet_budget_exceeded_total{budget="wrong_codes"}': 1 });
});

test("no label contains an id, an address or a name", async () => {
  const text = await collected.print();
  const ids = /[0-9a-f]{8}-[0-9a-f]{4}-|127\.0\.0\.1|\b10\.\d+\.\d+\.\d+|example\.com|ada/i;
  expect(text.split("\n").filter((line) => !line.startsWith("#") && ids.test(line))).toEqual([]);
});

test("the version is in the build info", async () => {
  expect(before.get('signet_build_info{version="1.2.3",node="v24.0.0"}')).toBe(1);
});
