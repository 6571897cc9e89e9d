import type { Figure } from "./figure.ts";
import type { LoadPlan } from "./load.ts";
import { runLoad, type ServerProcess } from "./processes.ts";
import { median, type Rounds } from "./rounds.ts";

/** One round of one server. */
export interface Run {
  readonly perSecond: number;
  /** Microseconds of the server's CPU for each call. */
  readonly cpu: number;
  /** Microseconds of PostgreSQL's CPU for each call; 0 if it is not involved. */
  readonly databaseCpu: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Comparison<Name extends string> {
  readonly runs: Readonly<Record<Name, readonly Run[]>>;
  /** Acknowledged calls of each server, including the warm-up. */
  readonly calls: number;
}

const CONNECTIONS = 4;

/**
 * Each round starts a new load generator. Until V8 has compiled its code, it is slower than the servers: at 128 calls in
 * flight, they served 0.5 to 0.7 × as many calls in the first tenth of a round as in the others.
 */
const WARM_UP_SHARE = 0.2;

interface CompareOptions<Name extends string> {
  readonly rounds: Rounds;
  readonly inFlight: number;
  readonly toPlan: (name: Name) => Omit<LoadPlan, "port" | "connections" | "inFlight" | "calls">;
  /** Seconds of CPU that the database has used. */
  readonly databaseSeconds?: () => number;
}

/**
 * Rounds of load in which the servers alternate, so that other load on the machine affects all of them equally. Every
 * second round uses the opposite order.
 */
export async function compare<Name extends string>(
  servers: Readonly<Record<Name, ServerProcess>>,
  { rounds, inFlight, toPlan, databaseSeconds = () => 0 }: CompareOptions<Name>,
): Promise<Comparison<Name>> {
  const runs = {} as Record<Name, Run[]>;
  // With one call at a time, a tenth of the calls takes just as long.
  const calls = inFlight === 1 ? rounds.calls / 10 : rounds.calls;
  // The first round is a warm-up, and does not count.
  for (let round = 0; round <= rounds.count; round++) {
    const order = Object.entries(servers) as [Name, ServerProcess][];
    for (const [name, server] of round % 2 === 0 ? order : order.toReversed()) {
      const before = { server: server.cpuSeconds(), database: databaseSeconds() };
      const warmUpCalls = calls * WARM_UP_SHARE;
      const plan = { ...toPlan(name), port: server.port, connections: CONNECTIONS, inFlight, calls, warmUpCalls };
      const { seconds, p50, p99 } = await runLoad(plan);
      const cpu = ((server.cpuSeconds() - before.server) / calls) * 1e6;
      const databaseCpu = ((databaseSeconds() - before.database) / calls) * 1e6;
      const perSecond = (calls - warmUpCalls) / seconds;
      if (round > 0) runs[name] = [...(runs[name] ?? []), { perSecond, cpu, databaseCpu, p50, p99 }];
    }
  }
  return { runs, calls: calls * (rounds.count + 1) };
}

/** The median of one figure over several runs. */
export function of(runs: readonly Run[], key: keyof Run): number {
  return median(runs.map((run) => run[key]));
}

export function toFigure(name: string, unit: string, runs: readonly Run[], key: keyof Run): Figure {
  return { name, unit, value: of(runs, key), all: runs.map((run) => run[key]) };
}

export function toRatio(name: string, value: number, rule: "at most" | "at least", bound: number): Figure {
  return { name, value, unit: "×", rule, bound };
}
