/**
 * Measures reads with many users: GetUserByID compared with a hand-written server with the same two statements, and
 * lists with and without conditions.
 *
 * `--users <count>` (default 1,000,000), `--quick` for fewer calls, `--only <text>` for the lists whose names contain it. With
 * a million users it writes the table of `bench/README.md`.
 */
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../test/support/databases/postgres.ts";
import { freePort } from "../test/support/free-port.ts";
import { compare, of, toFigure, toRatio } from "./compare.ts";
import type { Figure } from "./figure.ts";
import { readTreeSeconds, startServer } from "./processes.ts";
import { writeReport } from "./report.ts";
import { median, toLatencyFigures } from "./rounds.ts";
import { countRowsOfList } from "./rows-read.ts";

const { values: flags } = parseArgs({
  options: { users: { type: "string", default: "1000000" }, quick: { type: "boolean" }, only: { type: "string" } },
});
const USERS = Number(flags.users);
const ROUNDS = flags.quick ? 2 : 5;
const CALLS = flags.quick ? 100 : 500;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const folder = mkdtempSync(join(tmpdir(), "signet-bench-"));
const postgres = await startPostgres(["-c", "shared_buffers=512MB", "-c", "max_wal_size=4GB"]);
const url = postgres.urlOf("postgres");
const environment = {
  DATABASE_URL: url,
  MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
  PUBLIC_URL: "http://localhost:8080",
  DATA_DIR: folder,
};
const signet = await startServer(await freePort(), ["bin/signet.js", "serve"], environment);
const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
const client = new pg.Client(url);
await client.connect();
try {
  const orgId = await fill();
  const isWhole = flags.only === undefined;
  const figures = [...(isWhole ? await measureGet() : []), ...(await measureLists(orgId))];
  writeReport({ reads: figures }, USERS >= 1_000_000 && isWhole && !flags.quick ? "reads" : "quick");
} finally {
  agent.destroy();
  await signet.stop();
  await client.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Users with varied names: 2,000 first names, 50,000 last names. Every tenth has an address at example.org. Each has an
 * id in another system and one of ten plans in the metadata.
 */
async function fill(): Promise<string> {
  const { rows } = await client.query("select id from orgs");
  const orgId = rows[0].id as string;
  await client.query(
    `insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email, email_verified, phone, phone_verified, password_changed_at, sequence, created_at, changed_at)
     select $1::uuid, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'human', lower(f || '.' || l) || n, lower(f || '.' || l) || n, f, l, f || ' ' || l, 0,
       lower(f || '.' || l) || n || case when n % 10 = 0 then '@example.org' else '@example.com' end, true, '+41791234567', true, now(), 1, now() + n * interval '1 millisecond', now()
     from (
       select n, initcap(substr(translate(md5('f' || n % 1999), '0123456789', 'aeioulmnrs'), 1, 6)) as f,
         initcap(substr(translate(md5('l' || n % 49999), '0123456789', 'aeioulmnrs'), 1, 8)) as l
       from generate_series(0, $2::int - 1) as n
     ) as named`,
    [orgId, USERS],
  );
  await client.query(
    `insert into user_metadata (org_id, user_id, key, value, sequence, created_at, changed_at)
     select $1::uuid, id, key, convert_to(value, 'UTF8'), 1, now(), now()
     from users, lateral (values ('external_id', user_name), ('plan', 'plan-' || right(id::text, 1))) as given (key, value)
     where org_id = $1::uuid and kind = 'human' and email like '%@example.%'`,
    [orgId],
  );
  await client.query("vacuum analyze");
  return orgId;
}

async function measureGet(): Promise<Figure[]> {
  const other = await startServer(await freePort(), ["bench/grpc-js-reads.ts"], { DATABASE_URL: url });
  const pid = (await client.query("select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid")).rows[0]
    .pid;
  const rounds = { count: ROUNDS, calls: flags.quick ? 3_000 : 15_000, hashes: 0, bareSeconds: 0 };
  const figures: Figure[] = [];
  for (const inFlight of [1, 32] as const) {
    const { runs } = await compare(
      { signet, grpcJs: other },
      {
        rounds,
        inFlight,
        databaseSeconds: () => readTreeSeconds(pid),
        toPlan: () => ({ tokens: [token], operation: "get", form: "grpc", users: USERS, firstNumber: 0 }),
      },
    );
    const what = `GetUserByID, ${inFlight} in flight`;
    figures.push(
      toFigure(`${what}, p50`, "ms", runs.signet, "p50"),
      toFigure(`${what}, p99`, "ms", runs.signet, "p99"),
      toFigure(`${what}, CPU per call: Signet`, "µs", runs.signet, "cpu"),
      toFigure(`${what}, CPU per call: hand-written on @grpc/grpc-js`, "µs", runs.grpcJs, "cpu"),
      toFigure(`${what}, CPU of PostgreSQL: Signet`, "µs", runs.signet, "databaseCpu"),
      toFigure(`${what}, CPU of PostgreSQL: hand-written`, "µs", runs.grpcJs, "databaseCpu"),
    );
    const ratio = of(runs.signet, "cpu") / of(runs.grpcJs, "cpu");
    const name = `${what}, CPU: Signet / hand-written`;
    figures.push(inFlight === 32 ? toRatio(name, ratio, "at most", 1.1) : { name, value: ratio, unit: "×" });
  }
  await other.stop();
  return figures;
}

interface Latency {
  readonly p50: number;
  readonly p99: number;
}

async function measureLists(orgId: string): Promise<Figure[]> {
  const { rows } = await client.query(
    "select email, user_name, last_name from users where kind = 'human' order by md5(id::text) limit 1000",
  );
  const some = () => rows[randomInt(rows.length)] as { email: string; user_name: string };
  const email = (emailAddress: string, method: string) => ({
    queries: [{ emailQuery: { emailAddress, method: `TEXT_QUERY_METHOD_${method}` } }],
  });
  const metadata = (key: string, value: string) => ({
    queries: [{ metadataQuery: { key, value: Buffer.from(value).toString("base64") } }],
  });
  const lastPage = Math.min(1_000, Math.floor(USERS / 100));
  const { only = "" } = flags;
  const pageToken = only === "" ? await tokenOfPage(lastPage) : "";
  const searches: [string, () => object, { readonly most?: number; readonly calls?: number }][] = [
    ["first page of 100", () => ({}), { most: 15 }],
    [`page ${lastPage.toLocaleString("en")} by token`, () => ({ query: { pageToken } }), {}],
    ["first page by last name", () => ({ sortingColumn: "USER_FIELD_NAME_LAST_NAME" }), {}],
    [
      "first page by first name, without an index",
      () => ({ sortingColumn: "USER_FIELD_NAME_FIRST_NAME" }),
      { calls: 20 },
    ],
    ["total count, one user", () => ({ query: { limit: 1 } }), {}],
    ["email address, equal", () => email(some().email, "EQUALS"), {}],
    ["beginning of an email address", () => email(some().email.slice(0, 9), "STARTS_WITH_IGNORE_CASE"), {}],
    [
      "part of an email address, few found",
      () => email(some().email.slice(3, 14), "CONTAINS_IGNORE_CASE"),
      { most: 50 },
    ],
    ["part of an email address, a tenth found", () => email("example.org", "CONTAINS"), { calls: 100 }],
    ["id in another system, in the metadata", () => metadata("external_id", some().user_name), { most: 15 }],
    ["metadata equal, a tenth found", () => metadata("plan", "plan-7"), { calls: 100 }],
    ["part of an email address, none found", () => email("zzzzzz", "CONTAINS"), { most: 50 }],
  ];
  const figures: Figure[] = [];
  const p50: number[] = [];
  for (const [name, toBody, { most, calls = CALLS }] of searches.filter(([name]) => name.includes(only))) {
    const latencies: Latency[] = [];
    for (let round = 0; round < (most === undefined ? 1 : ROUNDS); round++) {
      latencies.push(await measure(toBody, calls));
    }
    const all = { p50: latencies.map(({ p50 }) => p50), p99: latencies.map(({ p99 }) => p99) };
    p50.push(median(all.p50));
    figures.push(...toLatencyFigures(`ListUsers, ${name}`, all, most), {
      name: `ListUsers, ${name}, rows read`,
      value: await countRowsOfList(url, orgId, toBody()),
      unit: "rows",
    });
  }
  if (only !== "") return figures;
  const [first = 0, later = 0] = p50;
  figures.push(toRatio("ListUsers, p50: late page / first page", later / first, "at most", 1.5));
  return figures;
}

/** The page token for reading a page of 100 users. */
async function tokenOfPage(page: number): Promise<string> {
  let pageToken = "";
  for (let read = 1; read < page; read++) {
    const { details } = JSON.parse(await post({ query: { pageToken } })) as { details: { nextPageToken?: string } };
    pageToken = details.nextPageToken ?? "";
  }
  return pageToken;
}

/** One call at a time over REST. The responses are read, but not parsed. */
async function measure(toBody: () => object, calls: number): Promise<Latency> {
  const latencies: number[] = [];
  for (let call = -5; call < calls; call++) {
    const body = toBody();
    const startedAt = performance.now();
    await post(body);
    // The first calls warm up.
    if (call >= 0) latencies.push(performance.now() - startedAt);
  }
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(calls - 1, Math.floor(calls * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

function post(body: object): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const sent = request({
    host: "127.0.0.1",
    port: signet.port,
    method: "POST",
    path: "/management/v1/users/_search",
    agent,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  sent.on("error", reject);
  sent.on("response", (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk) => chunks.push(chunk));
    response.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(text));
    });
  });
  sent.end(JSON.stringify(body));
  return promise;
}
