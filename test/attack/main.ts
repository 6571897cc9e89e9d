/**
 * Attacks its own `signet serve` on the loopback interface while a well-behaved caller imports 20 users per second over
 * gRPC and 20 over REST. Measures the caller's latency and the server's memory. `test/attack/README.md` shows the figures.
 *
 * `--quick`: shorter attacks. `--seconds N`: the duration of each attack. `--settle N`: how many seconds memory has to
 * recover. `--only a,b`: attacks whose names start with these. `--same-address`: the attacker uses the caller's
 * address. `--markdown FILE`, `--json FILE`: output files for the table and the figures. `--list`: prints the names.
 * `--sign-ins`: measures sign-ins of users while strangers disturb them instead, for 30 s or `--seconds`.
 *
 * Creates and drops a database on the server at TEST_DATABASE_URL, or uses a temporary PostgreSQL. Exit code 1: a goal
 * was missed; 2: wrong usage.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startTestPostgres } from "../support/databases/postgres.ts";
import { warmUp } from "./caller.ts";
import { chooseRounds, type Round } from "./catalogue.ts";
import { missedGoals } from "./goals.ts";
import { type Durations, type Measurement, measureAttack } from "./measure-attack.ts";
import { measureSignIns } from "./measure-sign-ins.ts";
import { toCountsLine, toLine, toMarkdown, writeJson } from "./report.ts";
import { createTargetPlace, type TargetPlace } from "./target.ts";

/** Legitimate calls before an attack: with fewer, the server's memory is still growing on its own. */
const WARM_UP_CALLS = 12_000;
const CALLER_ADDRESS = "127.0.0.1";
const ATTACKER_ADDRESS = "127.0.0.2";

const { flags, rounds, durations } = readArguments();
if (flags.list) {
  for (const { title } of rounds) console.log(title);
} else if (flags["sign-ins"]) {
  process.exitCode = (await measureSignIns(readSeconds("--seconds", flags.seconds, flags.quick ? 10 : 30))) ? 0 : 1;
} else {
  const measurements = await runAll();
  process.exitCode = measurements.every((measured) => missedGoals(measured).length === 0) ? 0 : 1;
}

function readArguments() {
  try {
    const { values: flags } = parseArgs({
      options: {
        quick: { type: "boolean" },
        list: { type: "boolean" },
        "same-address": { type: "boolean" },
        "sign-ins": { type: "boolean" },
        seconds: { type: "string" },
        settle: { type: "string" },
        only: { type: "string" },
        markdown: { type: "string" },
        json: { type: "string" },
      },
    });
    const rounds = chooseRounds(flags.only?.split(",") ?? []);
    const durations: Durations = {
      attackSeconds: readSeconds("--seconds", flags.seconds, flags.quick ? 4 : 10),
      calmSeconds: flags.quick ? 2 : 5,
      settleSeconds: readSeconds("--settle", flags.settle, flags.quick ? 15 : 60),
    };
    return { flags, rounds, durations };
  } catch (error) {
    console.error(`attack: ${error instanceof Error ? error.message : error}`);
    process.exit(2);
  }
}

function readSeconds(name: string, text: string | undefined, otherwise: number): number {
  const seconds = text === undefined ? otherwise : Number(text);
  if (!(seconds >= 1 && seconds <= 600)) throw new Error(`${name} is "${text}": expected a number from 1 to 600`);
  return seconds;
}

async function runAll(): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const postgres = await startTestPostgres();
  const database = `signet_attack_${process.pid}`;
  await postgres.run(`create database ${database}`);
  const place = createTargetPlace(postgres.urlOf(database));
  try {
    let tokens: MeasuredTokens | undefined;
    for (const round of rounds) {
      const { measured, tokens: created } = await runRound(place, round, tokens);
      tokens = created;
      measurements.push(measured);
      console.log(`${toLine(measured)}\n${toCountsLine(measured)}`);
      // Written after each round, so that an interrupted run keeps its figures.
      if (flags.markdown !== undefined) writeFileSync(flags.markdown, toMarkdown(measurements));
      writeJson(flags.json ?? `test/attack/results-${flags.quick ? "quick" : "full"}.json`, measurements);
    }
  } finally {
    place.close();
    await postgres.run(`drop database if exists ${database} with (force)`);
    await postgres.stop();
  }
  return measurements;
}

type MeasuredTokens = Awaited<ReturnType<TargetPlace["createTokens"]>>;

/** One attack on a newly started server that has already handled legitimate calls. */
async function runRound(place: TargetPlace, round: Round, known: MeasuredTokens | undefined) {
  const target = await place.start(round.setup);
  try {
    const tokens = known ?? (await place.createTokens());
    const { port, certificate } = target;
    await warmUp({ port, certificate, token: tokens.caller }, WARM_UP_CALLS);
    const localAddress = flags["same-address"] || round.isNeighbor ? CALLER_ADDRESS : ATTACKER_ADDRESS;
    return { measured: await measureAttack({ target, round, durations, tokens, localAddress }), tokens };
  } finally {
    await target.stop();
  }
}
