/**
 * Measures sign-ins: with a password from the authorization request to the tokens, with an active session, and compared
 * with Better Auth's sign-in with email and password; then refresh, userinfo and introspection. `--quick` takes fewer
 * rounds, `--only-calls` measures only a sign-in by an active session and the other calls, and `--before <folder>` also
 * compares these with the version in a folder.
 *
 * Better Auth has to be installed once: `npm install --prefix bench/better-auth`. Without it, it is omitted.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import type { Browser } from "../test/support/browsers/browser.ts";
import { freePort } from "../test/support/free-port.ts";
import type { Figure } from "./figure.ts";
import { addPeople, PASSWORD, PEOPLE } from "./people.ts";
import { runLoad, type ServerProcess, startServer } from "./processes.ts";
import { createRelyingParty } from "./relying-party.ts";
import { writeReport } from "./report.ts";
import { median, toLatencyFigures } from "./rounds.ts";
import { createSetting } from "./setting.ts";
import { measureTokenCalls } from "./token-calls.ts";

const { values: flags } = parseArgs({
  options: { quick: { type: "boolean" }, before: { type: "string" }, "only-calls": { type: "boolean" } },
});
const THREADS = availableParallelism();
/** Eight per hashing thread, so that no thread is idle while others send their requests. */
const IN_FLIGHT = 8 * THREADS;
const ROUNDS = flags.quick ? 2 : 5;
/** Sign-ins per round. */
const COUNTS = flags.quick
  ? { bcrypt: 4 * THREADS, argon2id: 16 * THREADS, session: 150, peer: 12 * THREADS }
  : { bcrypt: 12 * THREADS, argon2id: 60 * THREADS, session: 600, peer: 40 * THREADS };
const USERS = 20_000;
const PEER = new URL("better-auth/node_modules/better-auth/package.json", import.meta.url);

type Kind = keyof typeof COUNTS;

const NAMES: Record<Kind, string> = {
  bcrypt: "sign-in with a password, bcrypt cost 12",
  argon2id: "sign-in with a password, argon2id",
  session: "sign-in by a live session",
  peer: "Better Auth, sign-in with email and password",
};

/** One round. */
interface Run {
  readonly perSecond: number;
  /** Milliseconds of the server's CPU for each sign-in. */
  readonly cpu: number;
}

interface Contender {
  readonly server: ServerProcess;
  readonly signIn: (index: number) => Promise<unknown>;
}

const setting = await createSetting(USERS);
const client = new pg.Client(setting.url);
await client.connect();
try {
  const calls = flags.quick ? { rounds: 3, calls: 1_000 } : { rounds: 5, calls: 4_000 };
  const figures = await measureTokenCalls({ setting, ...calls, before: flags.before });
  if (!flags["only-calls"]) {
    const { figures: signIns, bcrypt } = await measureSignIns();
    figures.unshift(...signIns, ...(await measureTail(bcrypt)));
  }
  writeReport({ "sign-ins": figures }, flags.quick || flags["only-calls"] ? "sign-ins-quick" : "sign-ins");
} finally {
  await client.end();
  await setting.stop();
}

async function measureSignIns() {
  const app = await createRelyingParty(client);
  for (const scheme of ["bcrypt", "argon2id"] as const) await addPeople(client, scheme, `${scheme}-`);
  await client.query("vacuum analyze");
  const start = (scheme: string) =>
    setting.startSignet({ PASSWORD_HASH: scheme, TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "warn" });
  const servers = { bcrypt: await start("bcrypt"), argon2id: await start("argon2id") };
  const withPassword = (scheme: "bcrypt" | "argon2id"): Contender => {
    const server = servers[scheme];
    return { server, signIn: (index) => app.signIn(server.port, `${scheme}-${index % PEOPLE}`, PASSWORD) };
  };
  const browsers: Browser[] = [];
  for (let index = 0; index < IN_FLIGHT; index++) {
    browsers.push(await app.signIn(servers.argon2id.port, `argon2id-${index}`, PASSWORD));
  }
  const bySession: Contender = {
    server: servers.argon2id,
    signIn: (index) => app.signInAgain(servers.argon2id.port, browsers[index % browsers.length] as Browser),
  };
  const peer = existsSync(PEER) ? await startPeer() : undefined;
  if (peer === undefined)
    console.log("Better Auth is not installed (npm install --prefix bench/better-auth): left out");
  const runs = await takeTurns({
    bcrypt: withPassword("bcrypt"),
    argon2id: withPassword("argon2id"),
    session: bySession,
    ...(peer && { peer }),
  });
  await peer?.server.stop();
  await servers.argon2id.stop();
  const bcrypt = withPassword("bcrypt");
  return { figures: toFigures(runs), bcrypt };
}

/**
 * The contenders alternate, so that other load on the machine affects all of them equally. The first round is a warm-up
 * that fills the tables; autovacuum would analyze them within a minute.
 */
async function takeTurns(contenders: Partial<Record<Kind, Contender>>): Promise<Partial<Record<Kind, Run[]>>> {
  const runs: Partial<Record<Kind, Run[]>> = {};
  for (let round = 0; round <= ROUNDS; round++) {
    if (round === 1) await client.query("vacuum analyze");
    for (const [kind, contender] of Object.entries(contenders) as [Kind, Contender][]) {
      const run = await runSignIns(contender, COUNTS[kind]);
      if (round > 0) runs[kind] = [...(runs[kind] ?? []), run];
    }
  }
  return runs;
}

async function runSignIns({ server, signIn }: Contender, count: number): Promise<Run> {
  const [startedAt, before] = [performance.now(), server.cpuSeconds()];
  let next = 0;
  const runner = async () => {
    while (next < count) await signIn(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, runner));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: count / seconds, cpu: ((server.cpuSeconds() - before) / count) * 1_000 };
}

function toFigures(runs: Partial<Record<Kind, Run[]>>): Figure[] {
  const of = (kind: Kind, key: keyof Run) => median((runs[kind] ?? []).map((run) => run[key]));
  const figures = (Object.keys(NAMES) as Kind[]).flatMap((kind): Figure[] => {
    const all = (key: keyof Run) => (runs[kind] ?? []).map((run) => run[key]);
    if (runs[kind] === undefined) return [];
    const goal = kind === "session" ? ({ rule: "at most", bound: 8 } as const) : {};
    return [
      { name: NAMES[kind], unit: "sign-ins/s", value: of(kind, "perSecond"), all: all("perSecond") },
      { name: `${NAMES[kind]}, CPU`, unit: "ms", value: of(kind, "cpu"), all: all("cpu"), ...goal },
    ];
  });
  if (runs.peer === undefined) return figures;
  const value = of("argon2id", "perSecond") / of("peer", "perSecond");
  return [...figures, { name: "sign-ins/s: argon2id / Better Auth", value, unit: "×", rule: "at least", bound: 2 }];
}

/** Phone changes at a fixed rate while sign-ins hash on all threads of the same server. Stops the server. */
async function measureTail({ server, signIn }: Contender): Promise<Figure[]> {
  const plan = {
    port: server.port,
    tokens: [setting.token],
    connections: 4,
    form: "grpc",
    operation: "phone",
    inFlight: 32,
    users: USERS,
  } as const;
  await runLoad({ ...plan, calls: 6_000, firstNumber: 1_000_000 });
  let isOver = false;
  const runner = async (first: number) => {
    for (let index = first; !isOver; index++) await signIn(index);
  };
  const signIns = Promise.all(Array.from({ length: IN_FLIGHT }, (_, number) => runner(number * 7)));
  const p50: number[] = [];
  const p99: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const tail = await runLoad({ ...plan, calls: 2_400, firstNumber: 2_000_000 + 100_000 * round, rate: 300 });
    p50.push(tail.p50);
    p99.push(tail.p99);
  }
  isOver = true;
  await signIns;
  await server.stop();
  return toLatencyFigures("UpdateHumanPhone at 300/s while sign-ins hash on all threads", { p50, p99 }, 25);
}

/** Better Auth with a separate database in the same PostgreSQL. */
async function startPeer(): Promise<Contender> {
  await client.query("create database better_auth");
  const url = new URL(setting.url);
  url.pathname = "/better_auth";
  const server = await startServer(await freePort(), ["bench/better-auth/server.js"], {
    DATABASE_URL: url.href,
    BETTER_AUTH_SECRET: Buffer.alloc(32, 1).toString("base64"),
    NODE_ENV: "production",
  });
  const post = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: `http://localhost:${server.port}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`Better Auth answered ${path} with ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  };
  const emailOf = (index: number) => `person-${index % PEOPLE}@example.com`;
  for (let index = 0; index < PEOPLE; index++) {
    await post("sign-up/email", { name: "Ada Lovelace", email: emailOf(index), password: PASSWORD });
  }
  return { server, signIn: (index) => post("sign-in/email", { email: emailOf(index), password: PASSWORD }) };
}
