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

const CALLS = 10_000;
const WARM_UP_CALLS = CALLS / 5;
const SIGN_INS = 400;
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

  const measure = async () => ({
    "import, plain": await load("import", "plain"),
    "import, everything": await load("import", "everything"),
    "phone change": await load("phone", "plain"),
    "sign-in with a password, argon2id": await signIn(),
  });
  const first = await measure();
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  await delay(Math.max(0, minutes * 60_000 - (performance.now() - startedAt)));
  const later = await measure();
  await server.stop();
  return [
    { name: "duration of the first calls", value: tookSeconds, unit: "s", rule: "at most", bound: 60 },
    ...(Object.keys(first) as (keyof typeof first)[]).flatMap((name): Figure[] => [
      { name: `${name}, in the first minute`, value: first[name], unit: "calls/s" },
      { name: `${name}, after ${minutes} minutes`, value: later[name], unit: "calls/s" },
      toRatio(`${name}: first minute / later`, first[name] / later[name], "at least", LEAST),
    ]),
  ];
}
