import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** The input of an attacker process, as JSON in its first argument. */
export interface AttackPlan {
  readonly name: string;
  /** The server listens on this port of 127.0.0.1; no other host can be attacked. */
  readonly port: number;
  readonly isTls: boolean;
  readonly seconds: number;
  /** Address in 127.0.0.0/8 from which the attacker connects. */
  readonly localAddress: string;
  /** A valid token of an organization other than the caller's. */
  readonly token: string;
}

/** Numbers of occurrences, by name. */
export type Counts = Readonly<Record<string, number>>;

/** Runs until `context.isGoing()` is false. */
export type Attack = (context: AttackContext) => Promise<void>;

export interface AttackContext {
  readonly plan: AttackPlan;
  /** False once the time is up, or the attack's loops have reached their maximum number of iterations. */
  isGoing(): boolean;
  count(what: string, by?: number): void;
  /** A connection to the server; undefined, and counted, if the server refuses it. */
  connect(protocol?: "h2" | "http/1.1"): Promise<Socket | undefined>;
}

const MAX_TURNS = 20_000_000;
const CONNECT_MS = 2_000;

/** @returns The context of an attack, and its counts so far. */
export function createContext(plan: AttackPlan): { context: AttackContext; counts: Counts } {
  if (!/^127\.\d+\.\d+\.\d+$/.test(plan.localAddress)) {
    throw new Error(`localAddress is "${plan.localAddress}": expected an address of 127.0.0.0/8`);
  }
  const endsAt = performance.now() + plan.seconds * 1_000;
  const counts: Record<string, number> = {};
  let turns = 0;
  const count = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  const context: AttackContext = {
    plan,
    isGoing: () => ++turns < MAX_TURNS && performance.now() < endsAt,
    count,
    async connect(protocol = "h2") {
      const socket = await openSocket(plan, protocol);
      count(socket === undefined ? "refused connections" : "connections");
      // A server that refuses connections immediately must not turn the attack into a busy loop.
      if (socket === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      return socket;
    },
  };
  return { context, counts };
}

function openSocket(plan: AttackPlan, protocol: "h2" | "http/1.1"): Promise<Socket | undefined> {
  const address = { host: "127.0.0.1", port: plan.port, localAddress: plan.localAddress };
  // The suite has just signed this certificate itself.
  const socket = plan.isTls
    ? connectTls({ ...address, ALPNProtocols: [protocol], rejectUnauthorized: false, servername: "localhost" })
    : connectTcp(address);
  socket.setNoDelay(true);
  return new Promise((resolve) => {
    const fail = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(undefined);
    };
    const timer = setTimeout(fail, CONNECT_MS);
    // Never removed: a connection that breaks later must not crash the attacker.
    socket.on("error", fail);
    socket.once("close", fail);
    socket.once(plan.isTls ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      socket.off("close", fail);
      resolve(socket);
    });
  });
}

/** Runs something this many times concurrently. */
export async function inParallel(times: number, run: (index: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: times }, (_, index) => run(index)));
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
