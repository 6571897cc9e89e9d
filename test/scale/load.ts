import { createCaller, type Outcome } from "../support/clients/callers.ts";
import { until } from "../support/until.ts";

/** A successful call, with the data that must be stored from then on. */
export interface Acknowledged {
  readonly rpc: LoadRpc;
  /** The user or the identity provider. */
  readonly id: string;
  /** The sequence of the last event that the call added. */
  readonly sequence: number;
  /** For `UpdateHumanPhone`. */
  readonly phone?: string;
  /** When the response arrived, in milliseconds of `performance.now()`. */
  readonly at: number;
}

export type LoadRpc = "ImportHumanUser" | "UpdateHumanPhone" | "AddOrgOIDCIDP" | "AddOIDCIDP";

export interface Load {
  readonly acknowledged: readonly Acknowledged[];
  /** How many calls failed, by reason or code. */
  readonly failures: ReadonlyMap<string, number>;
  /** Waits until this many more calls of each RPC have succeeded. */
  more(count: number): Promise<void>;
  /** Adds a process to call, or removes one. */
  add(origin: string): Promise<void>;
  remove(origin: string): void;
  /** Waits for the running calls, and ends the load. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly origins: readonly string[];
  readonly token: string;
  /** Calls at the same time. */
  readonly inFlight: number;
}

type Send = (rpc: LoadRpc, request: object) => Promise<Outcome>;

/** In every round of this many calls, each identity provider RPC is called once. */
const ROUND = 10;
const PAUSE_AFTER_FAILURE_MS = 20;
const HASH = "$2b$04$n.nJm5v0DIrmhFEgPkcNFOPWKIQmGtBQ1hWdMMV7.nGGCkGsYQwBa";

/** Calls the specified RPCs over gRPC, in turn at each process, until `stop`. */
export async function startLoad({ origins, token, inFlight }: LoadOptions): Promise<Load> {
  const acknowledged: Acknowledged[] = [];
  const failures = new Map<string, number>();
  /** Users whose phone no call is changing. */
  const idle: string[] = [];
  const targets = new Map<string, ReturnType<typeof createCaller>>();
  let [calls, isStopped] = [0, false];

  async function add(origin: string): Promise<void> {
    const caller = createCaller("grpc", { origin, responses: [] }, token);
    // Right after startup, a busy service rejects unknown callers.
    await until("the process knows the caller", async () => {
      const outcome = await caller.call("ImportHumanUser", {});
      return !outcome.ok && outcome.reason === "INVALID_ARGUMENT";
    });
    targets.set(origin, caller);
  }

  async function send(rpc: LoadRpc, request: object): Promise<Outcome> {
    const callers = [...targets.values()];
    const caller = callers[calls % callers.length];
    if (caller === undefined) throw new Error("there is no process to call");
    const outcome = await caller.call(rpc, request as never);
    if (outcome.ok) return outcome;
    const reason = outcome.reason ?? `code ${outcome.code}: ${outcome.message}`;
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS));
    return outcome;
  }

  async function call(number: number): Promise<void> {
    const done = await callOne(number, send, idle);
    if (done === undefined) return;
    acknowledged.push(done);
    if (done.rpc === "ImportHumanUser" || done.rpc === "UpdateHumanPhone") idle.push(done.id);
  }

  async function work(): Promise<void> {
    while (!isStopped) await call(calls++);
  }

  for (const origin of origins) await add(origin);
  const workers = Array.from({ length: inFlight }, work);
  const count = (rpc: LoadRpc, from: number) => acknowledged.slice(from).filter((one) => one.rpc === rpc).length;
  return {
    acknowledged,
    failures,
    add,
    remove: (origin) => void targets.delete(origin),
    async more(wanted) {
      const from = acknowledged.length;
      const rpcs = ["ImportHumanUser", "UpdateHumanPhone", "AddOrgOIDCIDP", "AddOIDCIDP"] as const;
      await until("calls succeed", () => rpcs.every((rpc) => count(rpc, from) >= wanted));
    },
    async stop() {
      isStopped = true;
      await Promise.all(workers);
      for (const caller of targets.values()) caller.close();
    },
  };
}

/** @returns undefined if the call failed. */
async function callOne(number: number, send: Send, idle: string[]): Promise<Acknowledged | undefined> {
  const turn = number % ROUND;
  if (turn < 2) {
    const rpc = turn === 0 ? "AddOrgOIDCIDP" : "AddOIDCIDP";
    return toAcknowledged(rpc, await send(rpc, toIdp(number)));
  }
  const userId = turn % 2 === 0 ? idle.shift() : undefined;
  if (userId === undefined) return toAcknowledged("ImportHumanUser", await send("ImportHumanUser", toUser(number)));
  const phone = `+4179${String(number % 10_000_000).padStart(7, "0")}`;
  const outcome = await send("UpdateHumanPhone", { userId, phone, isPhoneVerified: true });
  // After a lost response, its number may be stored or not, which the next change does not depend on.
  if (!outcome.ok) idle.push(userId);
  const done = toAcknowledged("UpdateHumanPhone", outcome, userId);
  return done && { ...done, phone };
}

function toAcknowledged(rpc: LoadRpc, outcome: Outcome, userId?: string): Acknowledged | undefined {
  if (!outcome.ok) return undefined;
  const { message } = outcome as { message: { userId?: string; idpId?: string; details?: { sequence?: string } } };
  const id = userId ?? message.userId ?? message.idpId ?? "";
  return { rpc, id, sequence: Number(message.details?.sequence), at: performance.now() };
}

/** With a code and a message: the address is not verified. */
function toUser(number: number): object {
  return {
    userName: `load-${number}`,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: `load-${number}@example.com`, isEmailVerified: false },
    hashedPassword: { value: HASH },
  };
}

function toIdp(number: number): object {
  return {
    name: `Corp ${number}`,
    clientId: "c",
    clientSecret: "load-client-secret",
    issuer: "https://idp.example.com",
  };
}
