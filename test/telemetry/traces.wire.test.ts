import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createCaller, FORMS } from "../support/callers.ts";
import { findSpan, newTrace, type OtlpReceiver, startOtlpReceiver, toTree } from "../support/otlp/receiver.ts";
import { HUMAN, PASSWORD } from "../support/requests.ts";
import { startService, type TestService } from "../support/service.ts";

let receiver: OtlpReceiver;
let service: TestService;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  service = await startService("postgres", {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: "20",
  });
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
});

const IMPORT = "INSERT users INSERT user_idp_links INSERT events INSERT codes INSERT messages";
let users = 0;

describe.each(FORMS)("a call over %s", (form) => {
  const METHOD = "signet.v1.ManagementService/ImportHumanUser";
  const protocol = {
    grpc: { "rpc.system.name": "grpc", "rpc.system": "grpc" },
    "grpc-web": { "rpc.system.name": "grpc", "rpc.system": "grpc" },
    connect: { "rpc.system.name": "connectrpc", "rpc.system": "connect_rpc" },
    rest: {
      "http.request.method": "POST",
      "http.route": "/management/v1/users/human/_import",
      "http.response.status_code": 200,
    },
  }[form];

  test("continues the caller's trace: look-up of the caller, hash, statement", async () => {
    const { traceId, spanId, traceparent } = newTrace();
    const caller = createCaller(form, service, service.adminToken);
    const { hashedPassword: _, ...human } = HUMAN;
    const person = { ...human, userName: `traced-${++users}`, password: service.secret(PASSWORD) };
    const outcome = await caller.call("ImportHumanUser", person, { traceparent, tracestate: "vendor=value" });
    caller.close();
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
        ...protocol,
        "rpc.method": METHOD,
        "rpc.service": "signet.v1.ManagementService",
        "rpc.status_code": "OK",
        "rpc.grpc.status_code": 0,
        "signet.wire": form,
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
  });

  test("that is refused has the code in its span, and has not failed as a server", async () => {
    const { traceId, traceparent } = newTrace();
    const caller = createCaller(form, service, service.adminToken);
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
        ...(form === "rest" && { "http.response.status_code": 404 }),
      },
    });
  });
});
