import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { toRatio } from "./compare.ts";
import { takeSerial } from "./data.ts";
import type { Figure } from "./figure.ts";
import { startFormsServer } from "./forms-server.ts";
import { addPeople, PASSWORD, PEOPLE } from "./people.ts";
import { runLoad } from "./processes.ts";
import { createRelyingParty } from "./relying-party.ts";
import type { Setting } from "./setting.ts";

const CALLS = 4_000;
const WARM_UP_CALLS = CALLS / 5;
const SIGN_INS = 100;
const IN_FLIGHT = 32;
const LEAST = 0.8;

/** @param setting A new database, whose tables are not analyzed. */
export async function measureFirstMinute(setting: Setting, minutes: number): Promise<Figure[]> {
  const client = new pg.Client(setting.url);
  await client.connect();
  const app = await createRelyingParty(client);
  await addPeople(client, "argon2id", "first-");
  await client.end();
  const startedAt = performance.now();
  const environment = { PASSWORD_HASH: "argon2id", TRUSTED_PROXIES: "127.0.0.1" };
  const { server, idpId } = await startFormsServer(setting, environment);

  async function load(operation: "import" | "phone", variant: "plain" | "everything"): Promise<number> {
    const firstNumber = takeSerial(CALLS);
    const plan = { operation, variant, idpId, firstNumber, port: server.port, tokens: [setting.token] } as const;
    const size = {
      connections: 4,
      inFlight: IN_FLIGHT,
      calls: CALLS,
      warmUpCalls: WARM_UP_CALLS,
      users: setting.users,
    };
    const { seconds } = await runLoad({ ...plan, ...size, form: "grpc" });
    return (CALLS - WARM_UP_CALLS) / seconds;
  }

  async function signIn(): Promise<number> {
    const from = performance.now();
    let next = 0;
    const runner = async () => {
      while (next < SIGN_INS) await app.signIn(server.port, `first-${next++ % PEOPLE}`, PASSWORD);
    };
    await Promise.all(Array.from({ length: IN_FLIGHT / 2 }, runner));
    return (SIGN_INS * 1_000) / (performance.now() - from);
  }

  /** The rate, and microseconds of PostgreSQL's CPU for each call, which depend less on other load on the machine. */
  async function withCpu(run: () => Promise<number>, calls: number) {
    const before = setting.databaseSeconds();
    const perSecond = await run();
    return { perSecond, databaseCpu: ((setting.databaseSeconds() - before) / calls) * 1e6 };
  }

  const measure = async () => ({
    "import, plain": await withCpu(() => load("import", "plain"), CALLS),
    "import, everything": await withCpu(() => load("import", "everything"), CALLS),
    "phone change": await withCpu(() => load("phone", "plain"), CALLS),
    "sign-in with a password, argon2id": await withCpu(signIn, SIGN_INS),
  });
  const first = await measure();
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  await delay(Math.max(0, minutes * 60_000 - (performance.now() - startedAt)));
  const later = await measure();
  await server.stop();
  return [
    { name: "duration of the first calls", value: tookSeconds, unit: "s", rule: "at most", bound: 60 },
    ...(Object.keys(first) as (keyof typeof first)[]).flatMap((name): Figure[] => [
      { name: `${name}, in the first minute`, value: first[name].perSecond, unit: "calls/s" },
      { name: `${name}, after ${minutes} minutes`, value: later[name].perSecond, unit: "calls/s" },
      toRatio(`${name}: first minute / later`, first[name].perSecond / later[name].perSecond, "at least", LEAST),
      { name: `${name}, CPU of PostgreSQL in the first minute`, value: first[name].databaseCpu, unit: "µs" },
      { name: `${name}, CPU of PostgreSQL after ${minutes} minutes`, value: later[name].databaseCpu, unit: "µs" },
    ]),
  ];
}
