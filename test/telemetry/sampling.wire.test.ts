import { createCaller } from "../support/clients/callers.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { newTrace, type OtlpReceiver, startOtlpReceiver, toTree } from "../support/telemetry/otlp-receiver.ts";

let receiver: OtlpReceiver;
let service: TestService;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  // Only traces sampled by a trusted sender are sampled.
  service = await startService("postgres", {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0",
    OTEL_BSP_SCHEDULE_DELAY: "20",
  });
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
});

const METHOD = "signet.v1.ManagementService/GetMyOrg";

async function getMyOrg(headers: Record<string, string>, token = service.adminToken) {
  const caller = createCaller("grpc", service, token);
  const outcome = await caller.call("GetMyOrg", {}, headers);
  caller.close();
  return outcome;
}

/** What was exported of a trace, once a later trace has arrived. */
async function exportedOf(traceId: string) {
  const later = newTrace();
  await getMyOrg({ traceparent: later.traceparent });
  await receiver.waitForTrace(later.traceId);
  return receiver.spans.filter((span) => span.traceId === traceId);
}

const lineOf = (traceId: string) => service.logs.find(({ trace_id }) => trace_id === traceId);

test("a caller's sampled flag counts from the lookup of its token", async () => {
  const { traceId, traceparent } = newTrace();
  await getMyOrg({ traceparent });
  expect(toTree(await receiver.waitForTrace(traceId))).toEqual({
    [METHOD]: {
      "command find_token": { "SELECT orgs members tokens users instance": {} },
      "SELECT orgs": {},
    },
  });
});

test.each([
  ["without a token", ""],
  ["with an unknown token", `signet_pat_${"x".repeat(43)}`],
])("an unauthenticated client %s cannot force sampling", async (_what, token) => {
  const { traceId, traceparent } = newTrace();
  expect(await getMyOrg({ traceparent }, token)).toMatchObject({ ok: false, code: 16 });
  expect(await exportedOf(traceId)).toEqual([]);
  expect(lineOf(traceId)).toMatchObject({ msg: "call", code: "unauthenticated" });
});

test("the sampled flag of a page's visitor has no effect", async () => {
  const { traceId, traceparent } = newTrace();
  const response = await fetch(`${service.origin}/ui/init?code=none`, { headers: { traceparent } });
  await response.text();
  expect(await exportedOf(traceId)).toEqual([]);
  expect(lineOf(traceId)).toMatchObject({ msg: "page" });
});

test("a trace that its sender does not sample is not exported, but its id is in the log", async () => {
  const { traceId, traceparent } = newTrace("00");
  await getMyOrg({ traceparent });
  expect(await exportedOf(traceId)).toEqual([]);
  expect(lineOf(traceId)).toMatchObject({ msg: "call", code: "ok" });
});

test.each([
  ["no traceparent", {}],
  ["a malformed traceparent", { traceparent: "00-nonsense-01" }],
])("a call with %s gets a new trace, whose id is in the log", async (_what, headers) => {
  const before = service.logs.length;
  await getMyOrg(headers);
  const [line] = service.logs.slice(before);
  expect(line).toMatchObject({ msg: "call", trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
});
