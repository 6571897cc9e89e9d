import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { lockDataDir } from "../../src/database/data-lock.ts";
import type { EmptyDatabase } from "../support/databases/empty-database.ts";
import { createCertificate } from "../support/messages/smtp.ts";
import { createProcesses } from "../support/servers/process.ts";
import { createSignetCommands } from "./signet-commands.ts";

// test/database/copy tests what is copied; test/cli/copy-database.slow.test.ts the command as a whole.
const processes = createProcesses();
const PASSWORD = processes.secret("password-of-the-target");
const { expectFailure } = createSignetCommands(processes.runHere, {});
const copyTo = (url: string) => ["database", "copy", "--to", url];
let target: EmptyDatabase;
beforeAll(async () => {
  target = await processes.createDatabase();
});
afterAll(() => processes.close());

/** The URL of the target with other parts. */
function changed(change: (url: URL) => void): string {
  const url = new URL(target.url);
  change(url);
  return url.href;
}

test("without a target, the command prints what it expects", async () => {
  const expected = "expected a URL that starts with postgres:// or postgresql://";
  await expectFailure(["database", "copy"], `neither --to nor DATABASE_URL is set: ${expected}`);
  await expectFailure(copyTo(`mysql://root:${PASSWORD}@localhost/signet`), `--to is invalid: ${expected}`);
});

describe("a target that cannot be used is described in one line, without its password", () => {
  test.each([
    ["wrong password", (url: URL) => (url.password = PASSWORD), "wrong user or password (SQLSTATE 28P01)"],
    ["unknown database", (url: URL) => (url.pathname = "/nowhere"), "no database has this name (SQLSTATE 3D000)"],
    [
      "server without TLS",
      (url: URL) => (url.search = "sslmode=verify-full"),
      "the server does not support TLS; sslmode=disable connects without encryption",
    ],
  ])("%s", async (_title, change, problem) => {
    await expectFailure(copyTo(changed(change)), `cannot use the target database: ${problem}`);
  });

  test("missing certificate authority", async () => {
    const url = changed((url) => (url.search = "sslmode=verify-full&sslrootcert=/missing/ca.pem"));
    const problem = 'expected sslrootcert to be a PEM file of a certificate, got "/missing/ca.pem"';
    await expectFailure(
      copyTo(url),
      new RegExp(`^signet: the URL of the target database is invalid: ${problem} .*\\n$`),
    );
  });

  test("server that cannot be reached", async () => {
    const url = `postgres://signet:${PASSWORD}@127.0.0.1:1/signet`;
    await expectFailure(copyTo(url), "the target database cannot be reached: connect ECONNREFUSED 127.0.0.1:1");
  });

  test("server with a self-signed certificate", async () => {
    const certificate = createCertificate(processes.root);
    if (certificate === undefined) return console.warn("skipped: openssl is not installed");
    const server = await serveTls(certificate);
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const url = `postgres://signet:${PASSWORD}@127.0.0.1:${port}/signet?sslmode=verify-full`;
    await expectFailure(
      copyTo(url),
      /^signet: cannot use the target database: no certificate authority .* has signed the server's certificate .*\n$/,
    );
    server.close();
  });
});

test("a folder that a server uses is not copied, because the server could change it during the copy", async () => {
  const dataDir = join(processes.root, "running");
  mkdirSync(join(dataDir, "db"), { recursive: true });
  const lock = lockDataDir(dataDir);
  const { expectFailure } = createSignetCommands(processes.runHere, { DATA_DIR: dataDir });
  const holder = `another Signet process (pid ${process.pid}) has locked "${dataDir}"`;
  await expectFailure(copyTo(target.url), `DATA_DIR is in use: ${holder}; stop it or use another folder`);
  lock?.release();
});

/** Accepts the request for TLS as PostgreSQL does. */
async function serveTls(certificate: { cert: Buffer; key: Buffer }): Promise<Server> {
  const server = createServer((socket) => {
    socket
      .on("error", () => {})
      .once("data", () => {
        socket.write("S");
        new TLSSocket(socket, { isServer: true, ...certificate }).on("error", () => {});
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
