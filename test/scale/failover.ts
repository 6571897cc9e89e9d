import { join } from "node:path";
import { isPrimary } from "../support/databases/postgres.ts";
import { createProcesses, onPostgres, readToken } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { checkWrites } from "./check-writes.ts";
import { startFollowers } from "./followers.ts";
import { startHaProxy } from "./haproxy.ts";
import { type Acknowledged, type LoadRpc, startLoad } from "./load.ts";
import { startPair } from "./postgres-pair.ts";
import type { Figures } from "./scenario.ts";

/** How long the service may be unavailable, from killing the primary until every RPC has succeeded again. */
const LONGEST_OUTAGE_MS = 10_000;
const IN_FLIGHT = 32;
const RPCS: readonly LoadRpc[] = ["ImportHumanUser", "UpdateHumanPhone", "AddOrgOIDCIDP", "AddOIDCIDP"];
/** The reasons for which a call may fail during the failover. */
const EXPECTED = ["UNAVAILABLE", "DEADLINE_EXCEEDED"];

export interface FailoverOptions {
  /** How many calls of each RPC have to succeed before the kill, and after it. */
  readonly calls?: number;
  readonly longestOutageMs?: number;
}

/**
 * Kills the primary under load and promotes its synchronous standby, with HAProxy between them and two processes of
 * Signet that serve the load. A third one serves a client that watches the events, and sends them to a webhook with the
 * others. After the failover, it is killed too.
 *
 * @param signal SIGKILL closes the connections immediately. After SIGSTOP, they stay open without responses.
 * @throws Error if an acknowledged call is lost, an object is stored in part, the service is unavailable for too long, or
 *   a follower has missed an event.
 */
export async function runFailover(
  signal: "SIGKILL" | "SIGSTOP",
  { calls = 100, longestOutageMs = LONGEST_OUTAGE_MS }: FailoverOptions = {},
): Promise<Figures> {
  await using started = new AsyncDisposableStack();
  const pair = await startPair();
  started.defer(pair.stop);
  const proxy = await startHaProxy(pair.primary.address, pair.standby.address);
  started.defer(proxy.stop);
  const processes = createProcesses();
  started.defer(processes.close);
  const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
  // Until its first checks, HAProxy also forwards connections to the standby.
  await until("HAProxy does not use the standby", () => proxy.log().includes("Server primary/b is DOWN"));
  await until("the server behind HAProxy is the primary", () => isPrimary(url));
  const dataDir = join(processes.root, "data");
  const variables = { ...onPostgres(url), DATA_DIR: dataDir, IDP_ALLOW_PRIVATE_NETWORKS: "true" };
  const servers = [await processes.serve(variables), await processes.serve(variables)];
  const watched = await processes.serve(variables);
  const token = readToken(join(dataDir, "admin.token"));
  const origins = servers.map(({ origin }) => origin);
  const followers = await startFollowers({ origins: [watched.origin, ...origins], token });
  started.defer(followers.stop);
  const load = await startLoad({ origins, token, inFlight: IN_FLIGHT });
  await load.more(calls);

  const before = load.acknowledged.length;
  const killedAt = performance.now();
  pair.primary.kill(signal);
  await pair.standby.promote();
  const promotedAt = performance.now();
  await load.more(calls);
  await watched.stop("SIGKILL");
  await load.more(calls);
  await load.stop();
  const followed = await followers.check(pair.standby.url);
  for (const server of servers) await server.stop();

  const { lost, partial, objects } = await checkWrites(pair.standby.url, load.acknowledged);
  const back = RPCS.map((rpc) => firstAfter(load.acknowledged, rpc, promotedAt));
  const outageMs = Math.max(...back) - killedAt;
  const unexpected = [...load.failures].filter(([reason]) => !EXPECTED.includes(reason));
  const problems = [
    ...(lost.length > 0 ? [`lost ${lost.length} acknowledged calls, such as ${lost[0]}`] : []),
    ...(partial.length > 0 ? [`${partial.length} objects are stored in part, such as ${partial[0]}`] : []),
    ...(outageMs > longestOutageMs ? [`the service was gone for ${Math.round(outageMs)} ms`] : []),
    ...unexpected.map(([reason, count]) => `${count} calls failed with ${reason}`),
  ];
  if (problems.length > 0) throw new Error(problems.join("; "));
  return {
    "calls acknowledged before the kill": before,
    "calls acknowledged after it": load.acknowledged.length - before,
    "calls that failed, each with UNAVAILABLE or DEADLINE_EXCEEDED": [...load.failures.values()].reduce(
      (a, b) => a + b,
      0,
    ),
    "acknowledged calls that were lost": lost.length,
    "objects that were stored in part": `${partial.length} of ${objects}`,
    "kill to promotion": `${Math.round(promotedAt - killedAt)} ms`,
    "kill to the first success of every RPC": `${Math.round(outageMs)} ms`,
    ...followed,
  };
}

function firstAfter(acknowledged: readonly Acknowledged[], rpc: LoadRpc, at: number): number {
  return acknowledged.find((one) => one.rpc === rpc && one.at > at)?.at ?? Number.POSITIVE_INFINITY;
}
