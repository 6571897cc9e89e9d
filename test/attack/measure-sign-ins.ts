import { startTestPostgres } from "../support/databases/postgres.ts";
import { runAttacker } from "./run-attacker.ts";
import { createCostlySignIns, createSignIns, SIGN_IN_VARIABLES } from "./sign-ins.ts";
import { createTargetPlace, type Target, type TargetPlace } from "./target.ts";

/** What strangers do while users sign in. Resolves when they have stopped, to what they did. */
type Disturb = (target: Target, seconds: number) => Promise<string>;

interface SignInRound {
  readonly title: string;
  readonly variables: Record<string, string>;
  /** How many users sign in per second. */
  readonly perSecond: number;
  prepare(place: TargetPlace, target: Target): Promise<Disturb>;
}

/** The goal: this share of the sign-ins succeeds within this time. */
const SHARE = 0.95;
const WITHIN_MS = 2_000;
const SAMPLE_MS = 50;

/** Requests for pages from other addresses than the users'. */
const pages = (name: string, addresses: readonly string[]) => async (): Promise<Disturb> => async (target, seconds) => {
  const plan = { name, port: target.port, isTls: false, seconds, token: "" };
  const attackers = addresses.map((localAddress) => runAttacker({ ...plan, localAddress }));
  return (await Promise.all(attackers.map(({ ended }) => ended))).map((counts) => JSON.stringify(counts)).join(" ");
};

/** The variables of a server whose hashes have the default cost. */
const DEFAULT_COST_VARIABLES = { TRUSTED_PROXIES: "127.0.0.1", PASSKEY_OFFER: "never" };
const FOUR_ADDRESSES = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"];

const SIGN_IN_ROUNDS: readonly SignInRound[] = [
  {
    title: "four addresses, 450 requests per second each",
    variables: SIGN_IN_VARIABLES,
    perSecond: 4,
    prepare: pages("pages-at-limit", FOUR_ADDRESSES),
  },
  {
    title: "one behind a trusted proxy, 300 requests in flight",
    variables: SIGN_IN_VARIABLES,
    perSecond: 4,
    prepare: pages("pages-in-flight", ["127.0.0.1"]),
  },
  {
    title: "four addresses, 450 requests per second each, with hashes at the default cost",
    variables: DEFAULT_COST_VARIABLES,
    // A hash takes a third of a second of a core, and the strangers keep both busy.
    perSecond: 0.5,
    prepare: pages("pages-at-limit", FOUR_ADDRESSES),
  },
  {
    title: "sign-ins of another organization with costly hashes, 32 in flight",
    variables: DEFAULT_COST_VARIABLES,
    // A hash of the default cost takes a third of a second, and about a second beside a hash that uses all cores.
    perSecond: 0.5,
    async prepare(place, target) {
      const costly = await createCostlySignIns(place, target);
      return async (_target, seconds) => `${await costly.run(seconds, 32)} costly hashes verified`;
    },
  },
];

/**
 * Measures how long sign-ins take before and while strangers disturb them, each round with a newly started server.
 * Prints a row of a Markdown table for each.
 *
 * @returns Whether every round reached the goal.
 */
export async function measureSignIns(seconds: number): Promise<boolean> {
  const postgres = await startTestPostgres();
  let hasReached = true;
  console.log(
    `| strangers | sign-ins within ${WITHIN_MS / 1_000} s / failed | p50 / p95 / most, ms | before | memory, MB |`,
  );
  console.log("|---|---:|---:|---:|---:|");
  try {
    for (const [index, round] of SIGN_IN_ROUNDS.entries()) {
      const database = `signet_sign_ins_${process.pid}_${index}`;
      await postgres.run(`create database ${database}`);
      try {
        const measured = await measureRound(round, postgres.urlOf(database), seconds);
        if (measured.within < SHARE * measured.during.length) hasReached = false;
        console.log(toRow(round, measured));
        console.error(`  ${measured.disturbance}`);
      } finally {
        await postgres.run(`drop database if exists ${database} with (force)`);
      }
    }
  } finally {
    await postgres.stop();
  }
  return hasReached;
}

async function measureRound(round: SignInRound, url: string, seconds: number) {
  const place = createTargetPlace(url, round.variables);
  const target = await place.start("clear");
  try {
    const signIns = await createSignIns(place, target);
    const disturb = await round.prepare(place, target);
    const before = await signIns.run(Math.max(5, seconds / 3), round.perSecond);
    const memory = { before: target.memoryBytes(), peak: 0 };
    const sample = setInterval(() => {
      memory.peak = Math.max(memory.peak, target.memoryBytes());
    }, SAMPLE_MS);
    const disturbing = disturb(target, seconds + 2);
    const during = await signIns.run(seconds, round.perSecond);
    const disturbance = await disturbing;
    clearInterval(sample);
    return { before, during, memory, disturbance, within: during.filter((ms) => ms <= WITHIN_MS).length };
  } finally {
    await target.stop();
    place.close();
  }
}

function toRow({ title }: SignInRound, measured: Awaited<ReturnType<typeof measureRound>>): string {
  const { before, during, within, memory } = measured;
  const failed = during.filter((ms) => !Number.isFinite(ms)).length;
  const cells = [
    title,
    `${within} / ${failed} of ${during.length}`,
    describeTimes(during),
    describeTimes(before),
    `${Math.round(memory.before / 1e6)} to ${Math.round(memory.peak / 1e6)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function describeTimes(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN);
  return `${at(0.5)} / ${at(0.95)} / ${at(1)}`;
}
