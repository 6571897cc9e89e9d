import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { pino } from "pino";
import { createPort } from "../../src/http/port.ts";
import { readCertificate } from "../../src/server/certificate.ts";
import { watchCertificate } from "../../src/server/watch-certificate.ts";
import { createCertificate, testWithOpenssl } from "../support/servers/certificates.ts";

const DAY_MS = 86_400_000;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Two certificates, a folder with the files in use, and a port that serves them. */
async function start({ days = 90, mounted = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "signet-certificate-"));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  const old = createCertificate(folder, { name: "old", days });
  const renewed = createCertificate(folder, { name: "new", days: 2 * days });
  const files = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
  if (mounted) mount(folder, "first", old);
  else {
    copyFileSync(old.cert, files.certFile);
    copyFileSync(old.key, files.keyFile);
  }
  const first = readCertificate(files);
  const port = createPort({ handler: (exchange) => exchange.send(200, [], Buffer.from("ok")), tls: first });
  const { port: number } = await port.listen(0, "127.0.0.1");
  cleanups.push(() => port.drain(0));
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
  let now = Date.now();
  const watch = watchCertificate({ files, first, use: port.replaceCertificate, clock: () => new Date(now), log });
  return {
    ...{ folder, files, old, renewed, number, lines, watch },
    /** What the client of a new connection sees: `old` or `new`. */
    served: () => certificateOf(number).then((pem) => nameOf(pem, { old, new: renewed })),
    advance(ms: number) {
      now += ms;
    },
  };
}

async function certificateOf(port: number): Promise<string> {
  const socket = connectTls({ port, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect");
    return socket.getPeerX509Certificate()?.toString() ?? "";
  } finally {
    socket.destroy();
  }
}

function nameOf(pem: string, certificates: Record<string, { cert: string }>): string {
  const names = Object.entries(certificates).filter(([, { cert }]) => readFileSync(cert, "utf8") === pem);
  return names.map(([name]) => name).join();
}

/**
 * As Kubernetes mounts a secret: the files are links to files below the link `..data`, which is replaced by a rename.
 */
function mount(folder: string, version: string, { cert, key }: { cert: string; key: string }): void {
  const target = join(folder, `..${version}`);
  mkdirSync(target);
  copyFileSync(cert, join(target, "tls.crt"));
  copyFileSync(key, join(target, "tls.key"));
  symlinkSync(`..${version}`, join(folder, "..data_tmp"));
  renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
  if (version !== "first") return;
  for (const file of ["tls.crt", "tls.key"]) symlinkSync(join("..data", file), join(folder, file));
}

async function ask(session: ClientHttp2Session): Promise<unknown> {
  const [headers] = await once(session.request({ ":path": "/" }).resume(), "response");
  return headers[":status"];
}

testWithOpenssl(
  "files that are written in place take effect when two checks have found them, and connections go on",
  async () => {
    const { files, renewed, number, served, watch, lines } = await start();
    const session = connectHttp2(`https://localhost:${number}`, { rejectUnauthorized: false });
    cleanups.push(() => session.destroy());
    expect(await ask(session)).toBe(200);
    await watch.check();
    copyFileSync(renewed.cert, files.certFile);
    copyFileSync(renewed.key, files.keyFile);
    await watch.check();
    expect(await served()).toBe("old");
    await watch.check();
    expect(await served()).toBe("new");
    expect(await ask(session)).toBe(200);
    await watch.check();
    const expiresAt = readCertificate(files).expiresAt.toISOString();
    expect(lines).toEqual([{ level: 30, expiresAt, msg: "certificate replaced" }]);
  },
);

testWithOpenssl("files that are replaced by a rename, and a mounted secret of Kubernetes, take effect", async () => {
  const renamed = await start();
  for (const [from, to] of [
    [renamed.renewed.cert, renamed.files.certFile],
    [renamed.renewed.key, renamed.files.keyFile],
  ] as const) {
    copyFileSync(from, `${to}.tmp`);
    renameSync(`${to}.tmp`, to);
  }
  const mounted = await start({ mounted: true });
  mount(mounted.folder, "second", mounted.renewed);
  for (const { watch, served } of [renamed, mounted]) {
    await watch.check();
    await watch.check();
    expect(await served()).toBe("new");
  }
});

testWithOpenssl(
  "a certificate without its key, and half a file, are reported once, and the old pair stays until both match",
  async () => {
    const { files, old, renewed, served, watch, lines } = await start();
    const check = async () => {
      for (let times = 0; times < 3; times++) await watch.check();
      return lines.splice(0).map(({ level, msg, problem }) => ({ level, msg, problem }));
    };
    const msg = "the changed certificate cannot be used, the previous one stays in use";
    copyFileSync(renewed.cert, files.certFile);
    expect(await check()).toEqual([{ level: 40, msg, problem: expect.stringContaining("key values mismatch") }]);
    const pem = readFileSync(renewed.cert);
    writeFileSync(files.certFile, pem.subarray(0, pem.length / 2));
    expect(await check()).toEqual([
      { level: 40, msg, problem: expect.stringContaining("TLS_CERT_FILE or TLS_KEY_FILE is invalid") },
    ]);
    rmSync(files.keyFile);
    expect(await check()).toEqual([{ level: 40, msg, problem: expect.stringContaining("ENOENT") }]);
    expect(await served()).toBe("old");
    // Back to the certificate in use: nothing happens, and the same mistake is reported again.
    copyFileSync(old.cert, files.certFile);
    copyFileSync(old.key, files.keyFile);
    expect(await check()).toEqual([]);
    copyFileSync(renewed.cert, files.certFile);
    expect(await check()).toMatchObject([{ level: 40 }]);
    copyFileSync(renewed.key, files.keyFile);
    expect(await check()).toMatchObject([{ level: 30, msg: "certificate replaced" }]);
    expect(await served()).toBe("new");
  },
);

testWithOpenssl(
  "the log warns daily from 14 days before the expiry, and reports the expiry as an error until it is renewed",
  async () => {
    const { files, renewed, watch, lines, advance } = await start({ days: 90 });
    const check = async () => {
      await watch.check();
      return lines.splice(0).map(({ level, msg }) => `${level} ${msg}`);
    };
    expect(await check()).toEqual([]);
    advance(75 * DAY_MS);
    expect(await check()).toEqual([]);
    advance(DAY_MS + 60_000);
    expect(await check()).toEqual(["40 the certificate expires soon"]);
    advance(DAY_MS - 1);
    expect(await check()).toEqual([]);
    advance(1);
    expect(await check()).toEqual(["40 the certificate expires soon"]);
    advance(13 * DAY_MS);
    expect(await check()).toEqual(["50 the certificate has expired"]);
    expect(await check()).toEqual([]);
    copyFileSync(renewed.cert, files.certFile);
    copyFileSync(renewed.key, files.keyFile);
    await check();
    expect(await check()).toEqual(["30 certificate replaced"]);
  },
);

testWithOpenssl("for a certificate of six days, the log warns two days before the expiry", async () => {
  const { watch, lines, advance } = await start({ days: 6 });
  advance(3.9 * DAY_MS);
  await watch.check();
  expect(lines).toEqual([]);
  advance(0.2 * DAY_MS);
  await watch.check();
  expect(lines).toMatchObject([{ level: 40, msg: "the certificate expires soon" }]);
});
