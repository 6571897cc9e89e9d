/**
 * Measures `WatchEvents`: watchers over gRPC, one of which stops reading, while events are appended at a given rate.
 * Requires Linux.
 *
 * `node bench/watchers.ts [--watchers <number>] [--rate <events per second>] [--seconds <number>] [--types <number>]`
 *
 * Every watcher has the events of the instance, but wants only one of `--types` event types, so that the service looks at
 * each event for each watcher, and sends rate × watchers ÷ types messages per second. One more watcher wants all events,
 * and another one does not read until the end, and must then get all of them.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { AdminService } from "../gen/signet/v1/admin_pb.js";
import type { WatchEventsResponse } from "../gen/signet/v1/event_pb.js";
import { createToken } from "../src/access/create-token.ts";
import { grantRole } from "../src/access/grant-role.ts";
import { connect } from "../src/database/connection.ts";
import { ensureMachineUser } from "../src/users/machine/ensure-machine-user.ts";
import { type NewInstance, withNewInstance } from "./new-instance.ts";

const { values: flags } = parseArgs({
  options: {
    watchers: { type: "string", default: "1000" },
    rate: { type: "string", default: "10000" },
    seconds: { type: "string", default: "10" },
    types: { type: "string", default: "1000" },
  },
});
const [WATCHERS, RATE, SECONDS, TYPES] = [flags.watchers, flags.rate, flags.seconds, flags.types].map(Number) as [
  number,
  number,
  number,
  number,
];
/** Below the service's limit for each user. */
const PER_USER = 90;
/** Watchers that start at once: a service that is late refuses tokens that it has not seen. */
const AT_ONCE = 50;
/** Events that one statement appends. */
const BATCH = 100;

const OWNER = randomUUID();

const transports = new Map<number, ReturnType<typeof createGrpcTransport>>();

await withNewInstance(run);

async function run({ client, server, port, url }: NewInstance): Promise<void> {
  const tokens = await createTokens(url, Math.ceil((WATCHERS + 2) / PER_USER));
  const { rows } = await client.query("select coalesce(max(position), 0) as last from events");
  const start = BigInt(rows[0].last);
  const watch = (number: number, eventTypes: string[]) => {
    const user = number % tokens.length;
    // The watchers of all events have connections of their own: a slow one holds back its connection.
    const connection = number < WATCHERS ? user : -number;
    const api = createClient(AdminService, transportOf(port, connection));
    const headers = { authorization: `Bearer ${tokens[user]}` };
    return api.watchEvents({ afterPosition: start, eventTypes }, { headers })[Symbol.asyncIterator]();
  };
  const total = RATE * SECONDS;
  const idleMemory = server.memoryBytes();
  const watchers: AsyncIterator<WatchEventsResponse>[] = [];
  while (watchers.length < WATCHERS) {
    const next = Array.from({ length: Math.min(AT_ONCE, WATCHERS - watchers.length) }, (_, n) => watchers.length + n);
    const opened = next.map((number) => watch(number, [`bench.${number % TYPES}`]));
    // The first response is a heartbeat.
    await Promise.all(opened.map((watcher) => watcher.next()));
    watchers.push(...opened);
  }
  const memory = (server.memoryBytes() - idleMemory) / WATCHERS / 1_024;
  console.log(`${WATCHERS} watchers: ${memory.toFixed(0)} KB of memory each`);

  const slow = watch(WATCHERS + 1, []);
  await slow.next();
  const delays: number[] = [];
  let received = 0;
  for (const watcher of watchers) void readDelays(watcher);
  const all = readAll(watch(WATCHERS, []), total);
  const cpuBefore = server.cpuSeconds();
  const startedAt = performance.now();
  for (let sent = 0; sent < total; sent += BATCH) {
    const ahead = (sent / RATE) * 1_000 - (performance.now() - startedAt);
    if (ahead > 1) await delay(ahead);
    await client.query(
      `insert into events (owner_id, aggregate_id, sequence, type, created_at, payload)
      select $1, $2, n, 'bench.' || n % $3::integer, clock_timestamp(), '{"name":"Ada"}'
      from generate_series($4::integer, $5::integer) as n`,
      [OWNER, randomUUID(), TYPES, sent + 1, sent + BATCH],
    );
  }
  const appendedIn = (performance.now() - startedAt) / 1_000;
  const last = await all;
  const readIn = (performance.now() - startedAt) / 1_000;
  const cpu = server.cpuSeconds() - cpuBefore;
  console.log(`${total} events appended in ${appendedIn.toFixed(1)} s, ${Math.round(total / appendedIn)} per second`);
  console.log(`the watcher of all events had them after ${readIn.toFixed(1)} s, in order: ${last}`);
  delays.sort((a, b) => a - b);
  const at = (share: number) => (delays[Math.floor(delays.length * share)] ?? 0).toFixed(0);
  console.log(`${received} events to the others: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms after they were appended`);
  console.log(`CPU of the service: ${((cpu / readIn) * 100).toFixed(0)} % of a core`);
  console.log(`memory at the end: ${(server.memoryBytes() / 2 ** 20).toFixed(0)} MB`);
  console.log(`the watcher that had not read got the rest in order: ${await readAll(slow, total)}`);

  async function readDelays(watcher: AsyncIterator<WatchEventsResponse>): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await watcher.next();
        if (done) return;
        const { seconds = 0n, nanos = 0 } = value.event?.creationDate ?? {};
        if (seconds === 0n) continue;
        received += 1;
        delays.push(Date.now() - (Number(seconds) * 1_000 + nanos / 1e6));
      }
    } catch {
      // The service has stopped.
    }
  }

  /** Whether the events arrive in order, without a gap of one that was appended. */
  async function readAll(watcher: AsyncIterator<WatchEventsResponse>, count: number): Promise<boolean> {
    let [position, isInOrder] = [0n, true];
    for (let read = 0; read < count; ) {
      const { done, value } = await watcher.next();
      if (done) throw new Error("a stream has ended");
      if (value.event === undefined) continue;
      read += 1;
      isInOrder &&= value.position > position;
      position = value.position;
    }
    return isInOrder;
  }
}

function transportOf(port: number, connection: number) {
  const known = transports.get(connection) ?? createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` });
  transports.set(connection, known);
  return known;
}

async function createTokens(url: string, count: number): Promise<string[]> {
  const db = connect({ url }, 1, () => {});
  const parts = { db, clock: () => new Date() };
  const { id: orgId } = await db.selectFrom("orgs").select("id").executeTakeFirstOrThrow();
  const { id: scopeId } = await db.selectFrom("instance").select("id").executeTakeFirstOrThrow();
  const tokens: string[] = [];
  for (let number = 0; number < count; number++) {
    const id = await ensureMachineUser(parts, orgId, `watcher-${number}`);
    await grantRole(parts, { user: { id, orgId }, role: "INSTANCE_VIEWER", scopeId });
    tokens.push((await createToken(parts, { id, orgId }, null)).token);
  }
  await db.destroy();
  return tokens;
}
