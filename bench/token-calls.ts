import pg from "pg";
import type { Browser } from "../test/support/browsers/browser.ts";
import type { Figure } from "./figure.ts";
import { addPeople, PASSWORD } from "./people.ts";
import type { ServerProcess } from "./processes.ts";
import { createRelyingParty, type RelyingParty } from "./relying-party.ts";
import { median } from "./rounds.ts";
import type { Setting } from "./setting.ts";

/** Calls at a time, each with its own session and tokens. */
export const IN_FLIGHT = 32;

const NAMES = {
  session: "sign-in by a live session",
  refresh: "refresh",
  userinfo: "userinfo",
  introspection: "introspection",
} as const;

export type Kind = keyof typeof NAMES;
export const KINDS = Object.keys(NAMES) as Kind[];

/** The most CPU of the server and PostgreSQL together, in milliseconds. */
const GOALS: Partial<Record<Kind, number>> = { userinfo: 0.5, introspection: 0.5 };

/** How much more than in the earlier version. */
const RATIOS: Partial<Record<Kind, number>> = { session: 1.3, userinfo: 1, introspection: 1 };

export interface TokenCallsOptions {
  readonly setting: Setting;
  readonly rounds: number;
  /** Calls per round. */
  readonly calls: number;
  /** The folder of an earlier version to compare with. */
  readonly before?: string | undefined;
}

/** A version with users that are signed in. */
interface Contender {
  readonly server: ServerProcess;
  readonly call: Record<Kind, (index: number) => Promise<unknown>>;
}

/** Milliseconds of CPU for each call. */
interface Run {
  readonly server: number;
  readonly database: number;
}

type Runs = Record<Kind, Run[]>;

/** What applications do most: the CPU time of each call, with 32 calls in flight. */
export async function measureTokenCalls(options: TokenCallsOptions): Promise<Figure[]> {
  const { setting, before: folder } = options;
  const environment = { PASSWORD_HASH: "argon2id", TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "warn" };
  const contenders = [await prepare(await setting.startSignet(environment), setting.url)];
  if (folder !== undefined) {
    const { server, url } = await setting.startBefore(folder, environment);
    contenders.push(await prepare(server, url));
  }
  const runs = contenders.map((): Runs => ({ session: [], refresh: [], userinfo: [], introspection: [] }));
  // The first round is a warm-up. The versions alternate, so that other load on the machine affects both equally.
  for (let round = 0; round <= options.rounds; round++) {
    for (const kind of KINDS) {
      for (const [index, contender] of contenders.entries()) {
        const run = await runCalls(contender, kind, options);
        if (round > 0) runs[index]?.[kind].push(run);
      }
    }
  }
  for (const { server } of contenders) await server.stop();
  const [now, earlier] = runs;
  if (now === undefined) throw new Error("there is no version");
  return KINDS.flatMap((kind) => toFigures(kind, now, earlier));
}

async function prepare(server: ServerProcess, url: string): Promise<Contender> {
  const client = new pg.Client(url);
  await client.connect();
  const app = await createRelyingParty(client);
  const name = `calls-${server.port}-`;
  await addPeople(client, "argon2id", name);
  const call = await prepareCalls(app, server.port, name);
  await client.query("vacuum analyze");
  await client.end();
  return { server, call };
}

/** Signs users in whose names are a prefix and a number from 0. Each of the calls uses the session or the tokens of one of them. */
export async function prepareCalls(app: RelyingParty, port: number, prefix: string): Promise<Contender["call"]> {
  const sessions: { browser: Browser; accessToken: string; refreshToken: string }[] = [];
  for (let index = 0; index < IN_FLIGHT; index++) {
    const browser = await app.signIn(port, `${prefix}${index}`, PASSWORD);
    const { access_token: accessToken } = await app.signInAgain(port, browser, "openid profile email");
    const { refresh_token: refreshToken = "" } = await app.signInAgain(port, browser, "openid offline_access");
    sessions.push({ browser, accessToken, refreshToken });
  }
  const of = (index: number) => {
    const session = sessions[index];
    if (session === undefined) throw new Error(`there is no session ${index}`);
    return session;
  };
  return {
    session: (index) => app.signInAgain(port, of(index).browser),
    userinfo: (index) => app.readUser(port, of(index).accessToken),
    introspection: (index) => app.introspect(port, of(index).accessToken),
    async refresh(index) {
      const { refresh_token = "" } = await app.refresh(port, of(index).refreshToken);
      of(index).refreshToken = refresh_token;
    },
  };
}

async function runCalls({ server, call }: Contender, kind: Kind, { setting, calls }: TokenCallsOptions): Promise<Run> {
  const before = { server: server.cpuSeconds(), database: setting.databaseSeconds() };
  let made = 0;
  const runner = async (index: number) => {
    while (made++ < calls) await call[kind](index);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, index) => runner(index)));
  return {
    server: ((server.cpuSeconds() - before.server) / calls) * 1_000,
    database: ((setting.databaseSeconds() - before.database) / calls) * 1_000,
  };
}

function toFigures(kind: Kind, now: Runs, earlier: Runs | undefined): Figure[] {
  const name = NAMES[kind];
  const toSum = (runs: Runs) => runs[kind].map(({ server, database }) => server + database);
  const goal = GOALS[kind];
  const figures: Figure[] = [
    {
      name: `${name}, CPU of server and PostgreSQL`,
      unit: "ms",
      value: median(toSum(now)),
      all: toSum(now),
      ...(goal !== undefined && { rule: "at most", bound: goal }),
    },
    { name: `${name}, CPU of the server`, unit: "ms", value: median(now[kind].map(({ server }) => server)) },
  ];
  if (earlier === undefined) return figures;
  const [ratio, bound] = [median(toSum(now)) / median(toSum(earlier)), RATIOS[kind]];
  return [
    ...figures,
    { name: `${name}, CPU: earlier`, unit: "ms", value: median(toSum(earlier)), all: toSum(earlier) },
    {
      name: `${name}, CPU: now / earlier`,
      unit: "×",
      value: ratio,
      ...(bound !== undefined && { rule: "at most", bound }),
    },
  ];
}
