import { createPerson } from "../support/browsers/person.ts";
import { importAda, VISITED } from "../support/browsers/visitor.ts";
import { createCaller, PROTOCOLS } from "../support/clients/callers.ts";
import { HUMAN, PASSWORD } from "../support/clients/requests.ts";
import { createRelyingParty, createRequest } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import {
  findSpan,
  newTrace,
  type OtlpReceiver,
  startOtlpReceiver,
  toTree,
} from "../support/telemetry/otlp-receiver.ts";
import { until } from "../support/until.ts";

let receiver: OtlpReceiver;
let service: TestService;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  service = await startService("postgres", {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: "20",
    ...VISITED,
  });
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
});

const IMPORT = "INSERT users INSERT events";
let users = 0;

describe.each(PROTOCOLS)("a call over %s", (protocol) => {
  const METHOD = "signet.v1.ManagementService/ImportHumanUser";
  const attributes = {
    grpc: { "rpc.system.name": "grpc", "rpc.system": "grpc" },
    "grpc-web": { "rpc.system.name": "grpc", "rpc.system": "grpc" },
    connect: { "rpc.system.name": "connectrpc", "rpc.system": "connect_rpc" },
    rest: {
      "http.request.method": "POST",
      "http.route": "/management/v1/users/human/_import",
      "http.response.status_code": 200,
    },
  }[protocol];

  test("continues the caller's trace: lookup of the caller, hash, statement", async () => {
    const { traceId, spanId, traceparent } = newTrace();
    const { token } = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
    const caller = createCaller(protocol, service, token);
    const { hashedPassword: _, ...human } = HUMAN;
    const toPerson = () => ({ ...human, userName: `traced-${++users}`, password: service.secret(PASSWORD) });
    const outcome = await caller.call("ImportHumanUser", toPerson(), { traceparent, tracestate: "vendor=value" });
    expect(outcome).toMatchObject({ ok: true });
    const spans = await receiver.waitForTrace(traceId);
    expect(toTree(spans)).toEqual({
      [METHOD]: {
        "command find_token": { "SELECT orgs members tokens users instance": {} },
        "hash password": {},
        "command import_human_user": { [IMPORT]: {} },
      },
    });
    expect(findSpan(spans, METHOD)).toMatchObject({
      parentSpanId: spanId,
      kind: "server",
      traceState: "vendor=value",
      hasFailed: false,
      attributes: {
        ...attributes,
        "rpc.method": METHOD,
        "rpc.service": "signet.v1.ManagementService",
        "rpc.status_code": "OK",
        "rpc.grpc.status_code": 0,
        "signet.protocol": protocol,
        "signet.org_id": service.orgId,
      },
    });
    expect(findSpan(spans, IMPORT)).toMatchObject({
      kind: "client",
      attributes: {
        "db.system.name": "postgresql",
        "db.operation.name": "INSERT",
        "db.query.summary": IMPORT,
        "signet.commands": 1,
      },
    });
    expect(findSpan(spans, "hash password").events).toEqual(["thread acquired"]);
    expect(service.logs.find(({ trace_id }) => trace_id === traceId)).toMatchObject({ msg: "call", code: "ok" });

    // The statement of the next call also checks the caller.
    const next = newTrace();
    await caller.call("ImportHumanUser", toPerson(), { traceparent: next.traceparent });
    caller.close();
    expect(toTree(await receiver.waitForTrace(next.traceId))).toEqual({
      [METHOD]: { "hash password": {}, "command import_human_user": { [IMPORT]: {} } },
    });
  });

  test("that is rejected has the code in its span, and does not count as a server failure", async () => {
    const { traceId, traceparent } = newTrace();
    const caller = createCaller(protocol, service, service.adminToken);
    const outcome = await caller.call("GetUserByID", { id: "nobody" }, { traceparent });
    caller.close();
    expect(outcome).toMatchObject({ ok: false, reason: "USER_NOT_FOUND" });
    const [span] = (await receiver.waitForTrace(traceId)).filter(({ kind }) => kind === "server");
    expect(span).toMatchObject({
      hasFailed: false,
      attributes: {
        "rpc.status_code": "NOT_FOUND",
        "rpc.grpc.status_code": 5,
        "signet.reason": "USER_NOT_FOUND",
        ...(protocol === "rest" && { "http.response.status_code": 404 }),
      },
    });
  });
});

test("commands written together share a statement, whose span links to the spans of all, and back", async () => {
  const caller = createCaller("connect", service, service.adminToken);
  const import_ = async () => {
    const outcome = await caller.call("ImportHumanUser", { ...HUMAN, userName: `traced-${++users}` });
    if (!outcome.ok) throw new Error(outcome.message);
    return String(outcome.message.userId);
  };
  const ids = await Promise.all(Array.from({ length: 24 }, import_));
  const traces = ids.map(() => newTrace());
  await Promise.all(
    ids.map((userId, index) =>
      caller.call("LockUser", { id: userId }, { traceparent: traces[index]?.traceparent ?? "" }),
    ),
  );
  caller.close();
  const spans = (await Promise.all(traces.map(({ traceId }) => receiver.waitForTrace(traceId)))).flat();
  const commands = spans.filter(({ name }) => name === "command lock_user");
  expect(commands).toHaveLength(24);
  const statements = spans.filter(({ name }) => name.startsWith("UPDATE users "));
  const shared = statements.filter(({ attributes }) => Number(attributes["signet.commands"]) > 1);
  expect(shared.length).toBeGreaterThan(0);
  for (const statement of shared) {
    const linked = commands.filter(({ spanId }) => statement.links.includes(spanId));
    expect(linked).toHaveLength(Number(statement.attributes["signet.commands"]));
    expect(new Set(linked.map(({ traceId }) => traceId)).size).toBe(linked.length);
    const parent = linked.find(({ spanId }) => spanId === statement.parentSpanId);
    expect(parent?.traceId).toBe(statement.traceId);
    for (const other of linked) expect(other.links).toEqual(other === parent ? [] : [statement.spanId]);
  }
  // Each command is in one statement.
  expect(statements.flatMap(({ links }) => links).sort()).toEqual(commands.map(({ spanId }) => spanId).sort());
});

test("a page has the statements and the hash of its request in its span", async () => {
  const userId = await importAda(service, {
    email: { email: "ada@example.com", isEmailVerified: true },
    password: PASSWORD,
  });
  const { user_name: userName } = await service.db
    .selectFrom("users")
    .select("user_name")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const app = await createRelyingParty(service);
  const { traceId, spanId, traceparent } = newTrace();
  const person = createPerson(service, undefined, { traceparent });
  const form = await person.open(createRequest(app).url);
  const signedIn = await person.submit(form, { username: userName, password: PASSWORD });
  expect(signedIn.url.origin).toBe(new URL(app.redirectUri).origin);
  const ofTrace = () => receiver.spans.filter((span) => span.traceId === traceId);
  const hash = await until("the hash is exported", () => ofTrace().find(({ name }) => name === "verify password"));
  const page = await until("the page is exported", () => ofTrace().find((span) => span.spanId === hash.parentSpanId));
  expect(page).toMatchObject({
    name: "POST /ui/sign-in/:id",
    parentSpanId: spanId,
    kind: "server",
    hasFailed: false,
    attributes: {
      "http.request.method": "POST",
      "http.route": "/ui/sign-in/:id",
      "http.response.status_code": 303,
    },
  });
  expect(toTree(ofTrace())).toMatchObject({
    "GET /oauth/v2/authorize": {},
    "POST /ui/sign-in/:id": {
      "INSERT rate_limits": {},
      "SELECT users verified_phones orgs members": {},
      "verify password": {},
    },
  });
  expect(findSpan(ofTrace(), "SELECT users verified_phones orgs members")).toMatchObject({
    kind: "client",
    events: ["connection acquired"],
  });
});

test("unknown methods and paths do not add names of spans", async () => {
  const { traceId, traceparent } = newTrace();
  const response = await fetch(`${service.origin}/ui/made-up`, { method: "PROPFIND", headers: { traceparent } });
  await response.text();
  const span = (await receiver.waitForTrace(traceId)).find(({ kind }) => kind === "server");
  expect(span).toMatchObject({ name: "HTTP", attributes: { "http.request.method": "_OTHER" } });
  expect(span?.attributes).not.toHaveProperty("http.route");
});

test("no span contains personal data, a secret, or the text of a statement", () => {
  expect(receiver.spans.length).toBeGreaterThan(50);
  expect(JSON.stringify(receiver.spans)).not.toMatch(
    /Ada|Lovelace|@example|traced-|ada-\d|signet_pat_|correct horse|127\.0\.0\.1|10\.1\.|select |where /,
  );
});
