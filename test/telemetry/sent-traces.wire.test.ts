import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { createOutboundFetch, OutboundError } from "../../src/outbound/outbound-fetch.ts";
import { openTracer } from "../../src/telemetry/open-tracer.ts";
import type { Tracer } from "../../src/telemetry/span.ts";
import { runInSpan } from "../../src/telemetry/span-scope.ts";
import { changePhone, importUser } from "../support/messages/queued.ts";
import { startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import {
  findSpan,
  newTrace,
  type OtlpReceiver,
  startOtlpReceiver,
  toTree,
} from "../support/telemetry/otlp-receiver.ts";
import { until } from "../support/until.ts";

/** An external server that records request headers. */
let other: Server;
let origin: string;
const received: IncomingHttpHeaders[] = [];
let receiver: OtlpReceiver;
beforeAll(async () => {
  other = createServer((request, response) => {
    received.push(request.headers);
    response.writeHead(request.url === "/broken" ? 500 : 200, { connection: "close" }).end();
  });
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  receiver = await startOtlpReceiver();
});
afterAll(async () => {
  other?.close();
  await receiver?.close();
});

const variables = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_BSP_SCHEDULE_DELAY: "20" });

describe("a message", () => {
  let service: TestService;
  let smtp: TestSmtp;
  beforeAll(async () => {
    smtp = await startSmtp();
    service = await startService("postgres", {
      ...variables(),
      SMTP_URL: smtp.url,
      EMAIL_FROM: "Signet <no-reply@example.com>",
      SMS_PROVIDER: "webhook",
      SMS_WEBHOOK_URL: `${origin}/sms`,
      SMS_WEBHOOK_SECRET: "a secret of the webhook",
    });
  });
  afterAll(async () => {
    await service?.close();
    await smtp?.close();
  });

  const waitFor = (name: string) =>
    until(`${name} is exported`, () => receiver.spans.find((span) => span.name === name));

  test("has a separate trace: the attempt to send an email, and the statement that stores its outcome", async () => {
    await importUser(service, "grace");
    await service.delivery.deliverDue();
    const { traceId } = await waitFor("send email");
    const spans = await receiver.waitForTrace(traceId);
    expect(toTree(spans)).toEqual({ "send email": { "UPDATE messages UPDATE codes": {} } });
    const { id } = await service.db.selectFrom("messages").select("id").executeTakeFirstOrThrow();
    expect(findSpan(spans, "send email")).toMatchObject({
      hasFailed: false,
      attributes: {
        "signet.message_id": id,
        "signet.message.kind": "initialization",
        "signet.message.attempt": 1,
        "signet.message.outcome": "sent",
      },
    });
  });

  test("by a webhook carries the trace to its server", async () => {
    const userId = await importUser(service, "hedy", { email: { email: "hedy@example.com", isEmailVerified: true } });
    await changePhone(service, userId, "+41791234567");
    await service.delivery.deliverDue();
    const { traceId } = await waitFor("send sms");
    const spans = await receiver.waitForTrace(traceId);
    expect(toTree(spans)).toEqual({ "send sms": { POST: {}, "UPDATE messages UPDATE codes": {} } });
    const post = findSpan(spans, "POST");
    expect(post).toMatchObject({
      kind: "client",
      attributes: {
        "http.request.method": "POST",
        "http.response.status_code": 200,
        "server.address": "127.0.0.1",
        "server.port": Number(new URL(origin).port),
      },
    });
    expect(received.at(-1)).toMatchObject({ traceparent: `00-${traceId}-${post.spanId}-01` });
    expect(JSON.stringify(spans)).not.toMatch(/\/sms|hedy|791234567/);
  });

  test("that is refused counts as failed", async () => {
    smtp.answers.rcpt = () => ({ code: 550, text: "no such mailbox" });
    await importUser(service, "joan");
    await service.delivery.deliverDue();
    const failed = await until("the failure is exported", () => receiver.spans.find(({ hasFailed }) => hasFailed));
    expect(failed).toMatchObject({
      name: "send email",
      attributes: { "signet.message.outcome": "refused", "error.type": "refused" },
    });
  });
});

describe("a request of the service", () => {
  let tracer: Tracer;
  beforeAll(async () => {
    const { readConfig } = await import("../../src/config.ts");
    const opened = await openTracer(readConfig(variables()), { log: pino({ level: "silent" }), version: "1.2.3" });
    if (opened === undefined) throw new Error("traces are off");
    tracer = opened;
  });
  afterAll(() => tracer?.close(1_000));

  const fetchAnywhere = createOutboundFetch({ allowsPrivate: true, timeoutMs: 60_000, maxBodyBytes: 1_024 });
  const startPage = (flags: string) => {
    const trace = newTrace(flags);
    const headers = { traceparent: trace.traceparent, tracestate: "vendor=private" };
    return { ...trace, span: tracer.startServer("GET", { headers, trusts: "of-callers" }) };
  };

  test("to another server contains the trace, but not the tracestate of the sender", async () => {
    const { span, traceId } = startPage("01");
    await runInSpan(span, () => fetchAnywhere(`${origin}/secret-path?code=secret`));
    span.end();
    const spans = await receiver.waitForTrace(traceId);
    const child = spans.find(({ kind }) => kind === "client");
    expect(received.at(-1)?.traceparent).toBe(`00-${traceId}-${child?.spanId}-01`);
    expect(received.at(-1)).not.toHaveProperty("tracestate");
    expect(JSON.stringify(spans)).not.toContain("secret");
  });

  test("of a trace that is not sampled says so", async () => {
    const { span, traceId } = startPage("00");
    await runInSpan(span, () => fetchAnywhere(origin));
    expect(received.at(-1)?.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  });

  test("outside of any span carries no trace", async () => {
    await fetchAnywhere(origin);
    expect(received.at(-1)).not.toHaveProperty("traceparent");
  });

  test.each([
    ["answered with an error", "/broken", "500"],
    ["that cannot be sent", undefined, "OutboundError"],
  ])("%s has failed", async (_what, path, type) => {
    const { span, traceId } = startPage("01");
    // Nothing listens on port 1.
    const url = path === undefined ? "http://127.0.0.1:1" : `${origin}${path}`;
    await runInSpan(span, () => fetchAnywhere(url)).catch((error) => expect(error).toBeInstanceOf(OutboundError));
    span.end();
    const spans = await receiver.waitForTrace(traceId);
    const child = spans.find(({ kind }) => kind === "client");
    expect(child).toMatchObject({ hasFailed: true });
    expect(path === undefined ? type : child?.attributes["error.type"]).toBe(type);
  });
});
