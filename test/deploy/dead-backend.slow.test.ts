import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createCertificate } from "../support/servers/certificates.ts";
import { createProcesses } from "../support/servers/process.ts";
import { canRun } from "./proxied-services.ts";
import { PROXIES, type RunningProxy, startProxy } from "./proxies.ts";

/** With round_robin, 5 of 18,000 failed: of this number, at least one fails with a probability of 99.6 %. */
const POSTS = 20_000;
const OTHERS_DEAD = Array.from({ length: 14 }, (_, index) => `127.1.0.1:${index + 2}`);
const CONCURRENT = 64;

const { root, close } = createProcesses();
let backend: Http2Server;
beforeAll(async () => {
  backend = createServer((request, response) => request.resume().once("end", () => response.end("{}")));
  backend.listen(0, "127.0.0.1");
  await once(backend, "listening");
});
afterAll(async () => {
  backend.close();
  await close();
});

/** Starts Caddy in front of the backend and of addresses at which nothing listens. */
async function startWithDeadBackends(): Promise<RunningProxy> {
  const kind = PROXIES.find(({ name }) => name === "Caddy");
  if (kind === undefined) throw new Error("there is no configuration of Caddy");
  const { cert: certFile, key: keyFile } = createCertificate(root, { name: kind.program });
  const { port } = backend.address() as AddressInfo;
  const backends = [`127.0.0.1:${port}`, "127.1.0.1:1", ...OTHERS_DEAD] as const;
  return await startProxy(kind, {
    folder: join(root, kind.program),
    backends,
    names: ["localhost"],
    certFile,
    keyFile,
  });
}

/** Posts a body, and returns the status, or the error. */
function post(session: ClientHttp2Session): Promise<number | string> {
  return new Promise((resolve) => {
    const stream = session.request({ ":method": "POST", ":path": "/", "content-type": "application/json" });
    stream.once("response", (headers) => resolve(Number(headers[":status"])));
    stream.once("error", (error) => resolve(error.message)).resume();
    stream.end("{}");
  });
}

const title = "Caddy sends every concurrent POST to the only healthy backend";
const isHere = canRun("caddy");
(isHere ? test : test.skip)(isHere ? title : `${title} (skipped: caddy or curl is missing)`, async () => {
  const proxy = await startWithDeadBackends();
  const session = connect(proxy.origin, { ca: readFileSync(proxy.caFile) });
  const counts = new Map<number | string, number>();
  let sent = 0;
  const postMany = async () => {
    while (sent < POSTS) {
      sent += 1;
      const outcome = await post(session);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT }, postMany));
  } finally {
    session.destroy();
    await proxy.close();
  }
  expect(Object.fromEntries(counts)).toEqual({ 200: POSTS });
});
