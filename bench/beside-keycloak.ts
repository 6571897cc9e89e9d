/**
 * Measures sign-ins, refresh, userinfo and introspection beside Keycloak, on the same PostgreSQL, with 32 calls in flight. Both
 * hash with argon2id, each with its own default parameters.
 *
 * `node bench/beside-keycloak.ts <folder> [rounds]`: the folder of Keycloak's unpacked distribution.
 */
import pg from "pg";
import type { Figure } from "./figure.ts";
import { startKeycloak } from "./keycloak.ts";
import { addPeople, PASSWORD, PEOPLE } from "./people.ts";
import type { ServerProcess } from "./processes.ts";
import { createRelyingParty, type RelyingParty } from "./relying-party.ts";
import { writeReport } from "./report.ts";
import { median } from "./rounds.ts";
import { createSetting } from "./setting.ts";
import { IN_FLIGHT, prepareCalls } from "./token-calls.ts";

const [folder, rounds = "5"] = process.argv.slice(2);
if (folder === undefined) throw new Error("name the folder of Keycloak");

/** Calls per round, and how many times the calls per second of Keycloak are the goal. */
const KINDS = {
  "sign-in with a password": { calls: 160, goal: 3 },
  "sign-in by a live session": { calls: 800, goal: 2 },
  refresh: { calls: 1_600, goal: 2 },
  userinfo: { calls: 6_000, goal: 1.5 },
  introspection: { calls: 6_000, goal: 1.5 },
} as const;
type Kind = keyof typeof KINDS;

/** One round of one server: the rate, and milliseconds of CPU for each call. */
interface Run {
  readonly perSecond: number;
  readonly server: number;
  readonly database: number;
}

interface Contender {
  readonly name: string;
  readonly server: ServerProcess;
  readonly calls: Readonly<Record<Kind, (index: number) => Promise<unknown>>>;
  readonly runs: Record<Kind, Run[]>;
}

const PREFIX = "person-";
const setting = await createSetting(0);
const client = new pg.Client(setting.url);
await client.connect();
const servers: ServerProcess[] = [];
try {
  await addPeople(client, "argon2id", PREFIX);
  const signet = await setting.startSignet({
    ...{ PASSWORD_HASH: "argon2id", TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "warn" },
  });
  servers.push(signet);
  await client.query("create database keycloak");
  const databaseUrl = setting.url.replace(/\/postgres$/, "/keycloak");
  const keycloak = await startKeycloak(folder, databaseUrl, { prefix: PREFIX, count: PEOPLE });
  servers.push(keycloak.server);
  const contenders = [
    await prepare("Signet", signet, await createRelyingParty(client)),
    await prepare("Keycloak", keycloak.server, keycloak.app),
  ];
  // The first round is a warm-up. They alternate, so that other load on the machine affects both equally.
  for (let round = 0; round <= Number(rounds); round++) {
    if (round === 1) await client.query("vacuum analyze");
    for (const kind of Object.keys(KINDS) as Kind[]) {
      for (const contender of contenders) {
        const run = await runCalls(contender, kind);
        if (round > 0) contender.runs[kind].push(run);
      }
    }
  }
  writeReport({ "beside-keycloak": toFigures(contenders) }, "beside-keycloak");
} finally {
  for (const server of servers) await server.stop();
  await client.end();
  await setting.stop();
}

async function prepare(name: string, server: ServerProcess, app: RelyingParty): Promise<Contender> {
  const { session, ...calls } = await prepareCalls(app, server.port, PREFIX);
  let signIns = 0;
  return {
    ...{ name, server },
    calls: {
      "sign-in with a password": () => app.signIn(server.port, `${PREFIX}${signIns++ % PEOPLE}`, PASSWORD),
      "sign-in by a live session": session,
      ...calls,
    },
    runs: {
      "sign-in with a password": [],
      "sign-in by a live session": [],
      refresh: [],
      userinfo: [],
      introspection: [],
    },
  };
}

async function runCalls({ server, calls }: Contender, kind: Kind): Promise<Run> {
  const count = KINDS[kind].calls;
  const [before, database] = [server.cpuSeconds(), setting.databaseSeconds()];
  const from = performance.now();
  let made = 0;
  const runner = async (index: number) => {
    while (made++ < count) await calls[kind](index);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, index) => runner(index)));
  return {
    perSecond: (count * 1_000) / (performance.now() - from),
    server: ((server.cpuSeconds() - before) / count) * 1_000,
    database: ((setting.databaseSeconds() - database) / count) * 1_000,
  };
}

function toFigures([signet, keycloak]: readonly Contender[]): Figure[] {
  if (signet === undefined || keycloak === undefined) throw new Error("a server is missing");
  return (Object.keys(KINDS) as Kind[]).flatMap((kind): Figure[] => {
    const of = ({ name, runs }: Contender): Figure[] => {
      const figure = (what: string, key: keyof Run, unit: string): Figure => {
        const all = runs[kind].map((run) => run[key]);
        return { name: `${kind}: ${name}${what}`, value: median(all), all, unit };
      };
      return [
        figure("", "perSecond", "calls/s"),
        figure(", CPU of the server", "server", "ms"),
        figure(", CPU of PostgreSQL", "database", "ms"),
      ];
    };
    const [own, other] = [of(signet), of(keycloak)];
    const value = (own[0]?.value ?? 0) / (other[0]?.value ?? 0);
    const ratio: Figure = { name: `${kind}, calls/s: Signet / Keycloak`, value, unit: "×" };
    return [...own, ...other, { ...ratio, rule: "at least", bound: KINDS[kind].goal }];
  });
}
