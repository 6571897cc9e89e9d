import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";
import { human, IMPORT_PATH } from "../support/clients/send.ts";
import { inRounds } from "../support/rounds.ts";
import { until } from "../support/until.ts";
import { canRun, type ProxiedServices, startProxiedServices } from "./proxied-services.ts";

/** One session lets Caddy balance them at the same time, which sequential clients do not. */
const CONCURRENT = 64;

const isHere = canRun("caddy");
let services: ProxiedServices;
beforeAll(async () => {
  if (isHere) services = await startProxiedServices();
});
afterAll(() => services?.close());

/** Imports a user, and returns the status, or the error of the stream. */
function post(session: ClientHttp2Session, userName: string): Promise<number | string> {
  return new Promise((resolve) => {
    const lines = services.jsonHeaders.filter((option) => option !== "-H");
    const headers = Object.fromEntries(lines.map((line) => line.split(": ")));
    const stream = session.request({ ":method": "POST", ":path": IMPORT_PATH, ...headers });
    stream.once("response", ({ ":status": status }) => resolve(Number(status)));
    stream.once("error", (error) => resolve(error.message)).resume();
    stream.end(JSON.stringify(human(userName)));
  });
}

const title = "a rolling restart behind Caddy fails no concurrent POST";
(isHere ? test : test.skip)(isHere ? title : `${title} (skipped: caddy or curl is missing)`, async () => {
  // On a busy machine, a health check can be late.
  const outcomes = await inRounds(
    (round) => restartUnderLoad(`rolling-${round}`),
    ({ size }) => size === 1,
  );
  expect(Object.fromEntries(outcomes)).toEqual({ 200: expect.any(Number) });
});

/** Restarts one of the services while users are imported, and returns how often each outcome has occurred. */
async function restartUnderLoad(prefix: string): Promise<Map<number | string, number>> {
  const { origin, caFile } = services.behind("Caddy");
  const session = connect(origin, { ca: readFileSync(caFile) });
  const counts = new Map<number | string, number>();
  let sent = 0;
  let isOver = false;
  const postMany = async () => {
    while (!isOver) {
      sent += 1;
      const outcome = await post(session, `${prefix}-${sent}`);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
  };
  const load = Promise.all(Array.from({ length: CONCURRENT }, postMany));
  try {
    await until("calls are served", () => (counts.get(200) ?? 0) > CONCURRENT);
    expect(await services.stop("SIGTERM")).toMatchObject({ code: 0 });
    await services.restart();
  } finally {
    isOver = true;
    await load;
    session.close();
  }
  return counts;
}
