import type { CallerFigures } from "./caller.ts";
import { MEMORY_FACTOR, type Measurement } from "./measure-attack.ts";

/** The limit of the caller's 99th percentile during an attack in milliseconds, and the limit if no core is idle. */
const P99_MS = 250;
const P99_SATURATED_MS = 500;
/** Percent of all cores. */
const SATURATED = 95;

/** Whether no core was idle: because of the attack, or because of other programs on the machine. */
export function isSaturated({ cpu }: Pick<Measurement, "cpu">): boolean {
  return cpu.machine >= SATURATED;
}

/** The missed goals, each in a few words; empty if the attack did no harm. */
export function missedGoals(measured: Omit<Measurement, "title" | "passwords" | "logBytes" | "counts">): string[] {
  const { before, during, after, newConnections, memory } = measured;
  const p99Bound = isSaturated(measured) ? P99_SATURATED_MS : P99_MS;
  const missed: string[] = [];
  if (!measured.isAlive) missed.push("a process of the server ended");
  if (!measured.isHealthy) missed.push("/healthz is silent");
  for (const [when, { failed, firstFailure }] of Object.entries({ before, during, after })) {
    if (failed > 0) missed.push(`${failed} calls failed ${when} the attack (${firstFailure})`);
  }
  if (during.calls === 0) missed.push("no call was made during the attack");
  if (during.p99 > p99Bound) missed.push(`p99 of ${Math.round(during.p99)} ms, at most ${p99Bound}`);
  if (newConnections !== undefined) missed.push(...missedByNewConnections(newConnections));
  if (memory.after > MEMORY_FACTOR * memory.before) {
    missed.push(`memory at ${(memory.after / memory.before).toFixed(2)} of before, at most ${MEMORY_FACTOR}`);
  }
  return missed;
}

function missedByNewConnections({ calls, failed, firstFailure, p99 }: CallerFigures): string[] {
  const missed: string[] = [];
  if (calls === 0) missed.push("no call on a new connection was made during the attack");
  if (failed > 0) missed.push(`${failed} calls on new connections failed during the attack (${firstFailure})`);
  if (p99 > P99_SATURATED_MS)
    missed.push(`p99 on new connections of ${Math.round(p99)} ms, at most ${P99_SATURATED_MS}`);
  return missed;
}
