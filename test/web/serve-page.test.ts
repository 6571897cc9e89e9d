import { pino } from "pino";
import type { Exchange } from "../../src/http/exchange.ts";
import type { LaidOutPage, PageRequest } from "../../src/web/frame/page.ts";
import { createPageHandler } from "../../src/web/serve-page.ts";

const PAGE: LaidOutPage = { status: 200, headers: { "content-type": "text/plain" }, body: "page" };

interface Sent {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array | undefined;
}

/** Serves a request with an exchange controlled by the test. */
function serve(
  servePage: (request: PageRequest) => Promise<LaidOutPage>,
  { url = "/ui/init?code=x", requestTimeoutMs = 60_000 }: { url?: string; requestTimeoutMs?: number } = {},
) {
  const lines: Record<string, unknown>[] = [];
  const answered = Promise.withResolvers<void>();
  const log = pino(
    { base: null, timestamp: false },
    {
      write(line: string) {
        lines.push(JSON.parse(line));
        // The line about the page is the last one of a request.
        if (lines.at(-1)?.msg === "page") answered.resolve();
      },
    },
  );
  const sent: Sent[] = [];
  const onGone: (() => void)[] = [];
  const [path = "", query = ""] = url.split("?");
  const exchange: Exchange = {
    id: "r-1",
    method: "GET",
    path,
    query,
    headers: {},
    address: "192.0.2.1",
    hasTrailers: false,
    readBody: () => new Promise(() => {}),
    onClose: (callback) => onGone.push(callback),
    send: (status, headers, body) => sent.push({ status, headers, body }),
    toNode() {
      throw new Error("a page does not use Node's own objects");
    },
    refuseStranger: () => undefined,
    countFailure() {},
    isOfCaller: () => false,
    trust() {},
  };
  const goAway = () => {
    for (const callback of onGone) callback();
  };
  createPageHandler({ servePage, requestTimeoutMs, log })(exchange);
  return { served: answered.promise, sent, lines, goAway };
}

test("a header with several values is sent once for each", async () => {
  const headers = { "content-type": "text/plain", "set-cookie": ["a=1; Path=/", "b=2; Path=/"] };
  const { served, sent } = serve(async () => ({ ...PAGE, headers }));
  await served;
  expect(sent[0]?.headers).toEqual([
    ...["x-request-id", "r-1"],
    ...["content-type", "text/plain"],
    ...["set-cookie", "a=1; Path=/"],
    ...["set-cookie", "b=2; Path=/"],
  ]);
});

test.each<[string, string | Uint8Array, number[]]>([
  ["text", "é", [0xc3, 0xa9]],
  ["bytes", Uint8Array.of(0, 0xff, 0x80), [0, 0xff, 0x80]],
])("a body of %s is sent unchanged", async (_what, body, bytes) => {
  const { served, sent } = serve(async () => ({ ...PAGE, body }));
  await served;
  expect([...(sent[0]?.body ?? [])]).toEqual(bytes);
});

test("a client that disconnects aborts the signal, and the resulting failure is not logged", async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const { served, sent, lines, goAway } = serve(async ({ signal }) => {
    started.resolve(signal);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { ...PAGE, status: 503, cause: new Error("the client has gone") };
  });
  const signal = await started.promise;
  expect(signal.aborted).toBe(false);
  goAway();
  await served;
  expect(signal.aborted).toBe(true);
  expect(sent).toEqual([]);
  expect(lines).toEqual([expect.objectContaining({ msg: "page", path: "/ui/init", canceled: true })]);
});

test("an overdue page gets a response and one log line", async () => {
  const { served, sent, lines } = serve(
    async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { ...PAGE, status: 503, cause: new Error("overdue") };
    },
    { requestTimeoutMs: 1 },
  );
  await served;
  expect(sent).toEqual([expect.objectContaining({ status: 503 })]);
  expect(lines).toEqual([expect.objectContaining({ msg: "page", path: "/ui/init", status: 503 })]);
});

test("a body that does not arrive in time is DEADLINE_EXCEEDED", async () => {
  let failure: unknown;
  const { served } = serve(
    async ({ readBody }) => {
      failure = await readBody().catch((error: unknown) => error);
      return PAGE;
    },
    { requestTimeoutMs: 1 },
  );
  await served;
  expect(failure).toMatchObject({ reason: "DEADLINE_EXCEEDED" });
});

test("the log contains the cause of a failure, and never the query or an unknown path", async () => {
  const failed = serve(async () => ({ ...PAGE, status: 500, cause: new Error("the cause") }));
  await failed.served;
  expect(failed.lines).toEqual([
    expect.objectContaining({ level: 50, msg: "a page could not be served", requestId: "r-1" }),
    expect.objectContaining({ level: 30, msg: "page", path: "/ui/init", status: 500 }),
  ]);
  expect(JSON.stringify(failed.lines)).toContain("the cause");
  expect(JSON.stringify(failed.lines)).not.toContain("code=");

  const unknown = serve(async () => ({ ...PAGE, status: 404, isUnknownPath: true }), { url: "/ui/init&code=x" });
  await unknown.served;
  expect(JSON.stringify(unknown.lines)).not.toContain("code=");
});
