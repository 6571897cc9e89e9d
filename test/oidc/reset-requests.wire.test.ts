import { connect as connectHttp2, constants } from "node:http2";
import { connect as connectTcp } from "node:net";
import { setTimeout } from "node:timers/promises";
import { startService, type TestService } from "../support/servers/service.ts";

const ROUNDS = 20;

let service: TestService;
beforeAll(async () => {
  service = await startService("embedded");
});
afterAll(() => service.close());

/**
 * Runs something several times, and returns the warnings and errors that it adds to the log. Each run waits a little
 * longer, so that requests are reset before, while and after they are handled.
 */
async function logOf(run: (delayMs: number) => Promise<void>) {
  const before = service.logs.length;
  for (let round = 0; round < ROUNDS; round++) await run(round / 4);
  await setTimeout(200);
  return service.logs.slice(before).filter(({ level }) => Number(level) >= 40);
}

test("an unauthenticated client that resets HTTP/2 streams causes no error lines in the log", async () => {
  const lines = await logOf(async (delayMs) => {
    const session = connectHttp2(service.origin).on("error", () => {});
    const streams = Array.from({ length: 5 }, () =>
      session.request({ ":path": "/.well-known/openid-configuration" }).on("error", () => {}),
    );
    await setTimeout(delayMs);
    for (const stream of streams) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    await setTimeout(10);
    session.destroy();
  });
  expect(lines).toEqual([]);
});

test("an unauthenticated client that resets HTTP/1.1 connections causes no error lines in the log", async () => {
  const lines = await logOf(async (delayMs) => {
    const socket = connectTcp(service.port, "127.0.0.1").on("error", () => {});
    socket.write("GET /.well-known/openid-configuration HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(3));
    await setTimeout(2 + delayMs);
    socket.resetAndDestroy();
  });
  expect(lines).toEqual([]);
});

test("an unauthenticated client that exceeds its budget causes only the warning about that", async () => {
  const limited = await startService(
    "embedded",
    {},
    { budgets: { requests: { burst: 200, perSecond: 500 }, penaltyMs: 1 } },
  );
  try {
    const ends: Promise<unknown>[] = [];
    for (let round = 0; round < 4 * ROUNDS; round++) {
      const session = connectHttp2(limited.origin).on("error", () => {});
      for (let count = 0; count < 20; count++) {
        const headers = {
          ":method": "POST",
          ":path": "/oauth/v2/par",
          "content-type": "application/x-www-form-urlencoded",
        };
        session
          .request(headers)
          .on("error", () => {})
          .end(`client_id=none&a=${"b".repeat(5_000)}`);
      }
      ends.push(setTimeout(300).then(() => session.destroy()));
      await setTimeout(round / 8);
    }
    await Promise.all(ends);
    await setTimeout(300);
    expect(limited.logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  } finally {
    await limited.close();
  }
});
