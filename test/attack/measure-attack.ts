import type { Counts } from "./attack.ts";
import { type CallerFigures, startCaller } from "./caller.ts";
import type { Round } from "./catalogue.ts";
import { busySeconds, cpuSeconds, toPercent } from "./process-tree.ts";
import { runAttacker } from "./run-attacker.ts";
import type { Target } from "./target.ts";

export interface Durations {
  readonly attackSeconds: number;
  /** How long the caller is measured before and after the attack. */
  readonly calmSeconds: number;
  /** How long the server's memory has to recover. */
  readonly settleSeconds: number;
}

export interface MeasureOptions {
  readonly target: Target;
  readonly round: Round;
  readonly durations: Durations;
  readonly tokens: { readonly caller: string; readonly attacker: string };
  /** The source address of the attacker's connections. */
  readonly localAddress: string;
}

export interface Measurement {
  readonly title: string;
  readonly before: CallerFigures;
  readonly during: CallerFigures;
  readonly after: CallerFigures;
  /** The caller's imports with a password to hash, in attacks that affect them. */
  readonly passwords: CallerFigures | undefined;
  /** The caller's imports on new connections during an attack from its address. */
  readonly newConnections: CallerFigures | undefined;
  /** Bytes. */
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number };
  /** Seconds after the attack until memory was back within the goal; undefined if it never was. */
  readonly backAfter: number | undefined;
  /** Percent of all cores during the attack. */
  readonly cpu: { readonly attacker: number; readonly server: number; readonly machine: number };
  /** Whether every server process from before the attack is still running. */
  readonly isAlive: boolean;
  /** Whether /healthz responds within some seconds after the attack. */
  readonly isHealthy: boolean;
  readonly logBytes: number;
  readonly counts: Counts;
}

/** The maximum ratio of memory after an attack to memory before. */
export const MEMORY_FACTOR = 1.2;
const SAMPLE_MS = 250;
/** The start of an attack from the caller's address, in which the caller's connections may not yet be known. */
const UNMEASURED_MS = 1_000;
/**
 * How long /healthz may be unresponsive after the attack before the server counts as hung. After an attack from the
 * same address, it is refused for 10 seconds.
 */
const HUNG_SECONDS = 15;

/** Runs one attack while a well-behaved caller keeps calling, and measures both. */
export async function measureAttack(options: MeasureOptions): Promise<Measurement> {
  const { target, round, tokens, durations } = options;
  const { port, certificate } = target;
  const hasPasswords = round.attack === "passwords";
  const pids = target.pids();
  const logBytes = target.logBytes();
  const beginsAt = performance.now();
  const { isNeighbor } = round;
  const caller = startCaller({ port, certificate, token: tokens.caller, hasPasswords, opensConnections: isNeighbor });
  try {
    await pauseSeconds(durations.calmSeconds);
    const before = target.memoryBytes();
    const attacked = await attackWhileSampling(options, before);
    const { attackedAt, endedAt } = attacked;
    const measuredFrom = isNeighbor ? attackedAt + UNMEASURED_MS : attackedAt;
    const isHealthy = await becomesHealthy(target);
    await pauseUntil(endedAt + durations.calmSeconds * 1_000);
    const settled = await settle(target, before, endedAt, isHealthy ? durations.settleSeconds : 0);
    const isAlive = pids.every((pid) => target.pids().includes(pid));
    // Calls to a hung server end with the server, not only at their deadlines.
    if (!isHealthy) await target.stop();
    await caller.stop();
    const end = performance.now();
    const calmEnd = endedAt + durations.calmSeconds * 1_000;
    return {
      title: round.title,
      before: caller.figures(beginsAt, attackedAt),
      during: caller.figures(measuredFrom, endedAt),
      // The times are from the calm period only, the failures include everything until the end.
      after: { ...times(caller.figures(endedAt, calmEnd)), ...failures(caller.figures(endedAt, end)) },
      passwords: hasPasswords ? caller.figures(beginsAt, end, "password") : undefined,
      newConnections: isNeighbor ? caller.figures(measuredFrom, endedAt, "new connection") : undefined,
      memory: { before, peak: attacked.peak, after: settled.memory },
      backAfter: settled.backAfter,
      cpu: attacked.cpu,
      isAlive,
      isHealthy,
      logBytes: target.logBytes() - logBytes,
      counts: attacked.counts,
    };
  } finally {
    await caller.stop();
  }
}

async function attackWhileSampling({ target, round, tokens, durations, localAddress }: MeasureOptions, before: number) {
  const [attackedAt, busyBefore, serverBefore] = [performance.now(), busySeconds(), cpuSeconds(target.pids())];
  const attacker = runAttacker({
    name: round.attack,
    port: target.port,
    isTls: target.isTls,
    seconds: durations.attackSeconds,
    localAddress,
    token: tokens.attacker,
  });
  let peak = before;
  let attackerCpu = 0;
  const sample = setInterval(() => {
    peak = Math.max(peak, target.memoryBytes());
    attackerCpu = Math.max(attackerCpu, cpuSeconds([attacker.pid]));
  }, SAMPLE_MS);
  const counts = await attacker.ended;
  clearInterval(sample);
  const endedAt = performance.now();
  const seconds = (endedAt - attackedAt) / 1_000;
  const cpu = {
    attacker: toPercent(attackerCpu, seconds),
    server: toPercent(Math.max(0, cpuSeconds(target.pids()) - serverBefore), seconds),
    machine: toPercent(busySeconds() - busyBefore, seconds),
  };
  return { attackedAt, endedAt, peak: Math.max(peak, target.memoryBytes()), cpu, counts };
}

async function becomesHealthy(target: Target): Promise<boolean> {
  const longest = performance.now() + HUNG_SECONDS * 1_000;
  while (target.pids().length > 0 && performance.now() < longest) if (await target.isHealthy()) return true;
  return false;
}

/** Waits until memory is back within the goal, for at most this many seconds after the attack. */
async function settle(target: Target, before: number, endedAt: number, seconds: number) {
  for (;;) {
    const memory = target.memoryBytes();
    const passed = (performance.now() - endedAt) / 1_000;
    if (memory <= MEMORY_FACTOR * before) return { memory, backAfter: passed };
    if (passed >= seconds) return { memory, backAfter: undefined };
    await pauseSeconds(0.5);
  }
}

function times({ p50, p99, max }: CallerFigures): Pick<CallerFigures, "p50" | "p99" | "max"> {
  return { p50, p99, max };
}

function failures({ calls, failed, firstFailure }: CallerFigures): Omit<CallerFigures, "p50" | "p99" | "max"> {
  return { calls, failed, firstFailure };
}

function pauseUntil(time: number): Promise<void> {
  return pauseSeconds((time - performance.now()) / 1_000);
}

function pauseSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, seconds * 1_000)));
}
