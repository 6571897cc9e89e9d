import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createAuthority, giveToPostgres, hasOpenssl } from "../support/databases/authority.ts";
import { environment } from "../support/databases/database.ts";
import { startPostgres, type TestPostgres } from "../support/databases/postgres.ts";
import { createProcesses, onPostgres } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

/** Users with `certified` in their name authenticate with a certificate; nobody connects to `encrypted` without TLS. */
const HBA = `
hostssl all certified all cert
hostnossl encrypted all all reject
host all all all password`;

const title = "TLS to PostgreSQL";
(hasOpenssl ? describe : describe.skip)(hasOpenssl ? title : `${title} (skipped: openssl is missing)`, () => {
  const processes = createProcesses();
  const folder = mkdtempSync(join(tmpdir(), "signet-tls-"));
  chmodSync(folder, 0o755);
  const authority = { cert: join(folder, "ca", "ca.pem") };
  const other = { cert: join(folder, "other", "ca.pem") };
  const files = { client: toFiles("certified"), server: toFiles("localhost") };
  let postgres: TestPostgres;

  /** Where `issue` writes them. */
  function toFiles(name: string) {
    return { cert: join(folder, "ca", `${name}.pem`), key: join(folder, "ca", `${name}.key`) };
  }

  beforeAll(async () => {
    createAuthority(join(folder, "other"));
    const { issue } = createAuthority(join(folder, "ca"));
    for (const name of ["certified", "localhost"]) issue(name);
    const hba = join(folder, "hba.conf");
    writeFileSync(hba, HBA);
    giveToPostgres(hba);
    giveToPostgres(files.server.key);
    const settings = {
      ssl: "on",
      ssl_cert_file: files.server.cert,
      ssl_key_file: files.server.key,
      ssl_ca_file: authority.cert,
      hba_file: hba,
      fsync: "off",
    };
    postgres = await startPostgres(Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]));
    await postgres.run("create database encrypted");
    await postgres.run("create role certified login superuser");
  });
  afterAll(async () => {
    await processes.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function urlOf(host: string, parameters: Record<string, string>, user?: string): string {
    const url = new URL(postgres.urlOf("encrypted"));
    url.hostname = host;
    url.search = String(new URLSearchParams(parameters));
    if (user !== undefined) [url.username, url.password] = [user, ""];
    return url.href;
  }

  const run = (url: string) => processes.runHere(["migrate", "--json"], onPostgres(url));

  test.each([
    ["require", "127.0.0.1", { sslmode: "require" }],
    ["require with the authority, and another name", "127.0.0.1", { sslmode: "require", sslrootcert: authority.cert }],
    ["verify-ca and another name", "127.0.0.1", { sslmode: "verify-ca", sslrootcert: authority.cert }],
    ["verify-full", "localhost", { sslmode: "verify-full", sslrootcert: authority.cert }],
    ["as node-postgres names it", "localhost", { uselibpqcompat: "true", sslmode: "require" }],
  ] as [string, string, Record<string, string>][])("connects encrypted: sslmode=%s", async (_, host, parameters) => {
    expect(await run(urlOf(host, parameters))).toMatchObject({ code: 0, stderr: "" });
  });

  test("connects with a client certificate", async () => {
    const parameters = {
      sslmode: "verify-full",
      sslrootcert: authority.cert,
      sslcert: files.client.cert,
      sslkey: files.client.key,
    };
    expect(await run(urlOf("localhost", parameters, "certified"))).toMatchObject({ code: 0, stderr: "" });
  });

  const UNKNOWN =
    /no certificate authority in sslrootcert, or known to Node, has signed the server's certificate \([A-Z_]+\)$/;
  test.each([
    ["no TLS, which the server requires", "localhost", { sslmode: "disable" }, /the server rejects the user/],
    ["no sslmode", "localhost", {}, /the server rejects the user/],
    [
      "verify-full, and the certificate of another name",
      "127.0.0.1",
      { sslmode: "verify-full", sslrootcert: authority.cert },
      /the server's certificate is for another name: IP: 127\.0\.0\.1 .*$/,
    ],
    ["verify-full without an authority", "localhost", { sslmode: "verify-full" }, UNKNOWN],
    [
      "verify-full with the system's authorities",
      "localhost",
      { sslmode: "verify-full", sslrootcert: "system" },
      UNKNOWN,
    ],
    ["verify-full with another authority", "localhost", { sslmode: "verify-full", sslrootcert: other.cert }, UNKNOWN],
    ["verify-ca with another authority", "localhost", { sslmode: "verify-ca", sslrootcert: other.cert }, UNKNOWN],
    ["require with another authority", "localhost", { sslmode: "require", sslrootcert: other.cert }, UNKNOWN],
  ] as [string, string, Record<string, string>, RegExp][])(
    "fails in one line: %s",
    async (_, host, parameters, reason) => {
      const { code, stderr } = await run(urlOf(host, parameters));
      expect(code).toBe(1);
      expect(stderr).toMatch(/^signet: cannot use the database at DATABASE_URL: [^\n]*\n$/);
      expect(stderr.trim()).toMatch(reason);
    },
  );

  test("fails in one line without the client certificate", async () => {
    const url = urlOf("localhost", { sslmode: "require" }, "certified");
    expect(await run(url)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^signet: .*rejects the user.*\n$/),
    });
  });

  test.each(["require", "verify-full"])("sslmode=%s never connects to a server without TLS", async (sslmode) => {
    const url = new URL(environment("TEST_POSTGRES_URL"));
    url.searchParams.set("sslmode", sslmode);
    expect(await run(url.href)).toMatchObject({
      code: 1,
      stderr:
        "signet: cannot use the database at DATABASE_URL: the server does not support TLS; sslmode=disable connects without encryption\n",
    });
  });

  test("a server with sslmode=verify-full encrypts every connection that it opens", async () => {
    const url = urlOf("localhost", { sslmode: "verify-full", sslrootcert: authority.cert });
    const server = await processes.serve({ ...onPostgres(url), DATA_DIR: join(processes.root, "encrypted") });
    const client = new pg.Client(postgres.urlOf("postgres"));
    await client.connect();
    const rows = await until("the server listens for messages", async () => {
      const found = await client.query<{ name: string; ssl: boolean }>(
        `select application_name as name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
         where datname = 'encrypted' order by application_name desc`,
      );
      return found.rows[0]?.name === "signet listener" && found.rows;
    });
    await client.end();
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.every(({ ssl }) => ssl)).toBe(true);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});
