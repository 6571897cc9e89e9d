/**
 * Measures `WatchEvents`: watchers over gRPC, one of which stops reading, while events are appended at a given rate.
 * Requires Linux.
 *
 * `node bench/watchers.ts [--watchers <number>] [--rate <events per second>] [--seconds <number>] [--types <number>]`
 *
 * Every watcher has the events of the instance, but wants only one of `--types` event types, so that the service sends
 * rate × watchers ÷ types messages per second. One more watcher wants all events, which are another rate messages per
 * second, and another one does not read until the end, and must then get all of them.
 */
import { randomUUID } from "node:crypto";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createToken } from "../src/access/create-token.ts";
import { grantRole } from "../src/access/grant-role.ts";
import { connect } from "../src/database/connection.ts";
import { createOrg } from "../src/orgs/change-org.ts";
import { ensureMachineUser } from "../src/users/machine/ensure-machine-user.ts";
import { type NewInstance, withNewInstance } from "./new-instance.ts";
import { openWatch, type WatchStream } from "./watch-stream.ts";

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
/** Below the service's limits for each user, and for the users of an organization. */
const PER_USER = 90;
const USERS_PER_ORG = 5;
/** Watchers that start at once: a service that is late refuses tokens that it has not seen. */
const AT_ONCE = 50;
/** Events that one statement appends. */
const BATCH = 100;

const OWNER = randomUUID();

const sessions = new Map<number, ClientHttp2Session>();

await withNewInstance(run);

async function run({ client, server, port, url }: NewInstance): Promise<void> {
  const tokens = await createTokens(url, Math.ceil((WATCHERS + 2) / PER_USER));
  const { rows } = await client.query("select coalesce(max(position), 0) as last from events");
  const start = BigInt(rows[0].last);
  const watch = async (number: number, eventTypes: string[]) => {
    const user = number % tokens.length;
    // The watchers of all events have connections of their own: a slow one holds back its connection.
    const session = sessionOf(port, number < WATCHERS ? user : -number);
    return await openWatch(session, tokens[user] ?? "", { afterPosition: start, eventTypes });
  };
  const total = RATE * SECONDS;
  const idleMemory = server.memoryBytes();
  const watchers: WatchStream[] = [];
  while (watchers.length < WATCHERS) {
    const next = Array.from({ length: Math.min(AT_ONCE, WATCHERS - watchers.length) }, (_, n) => watchers.length + n);
    watchers.push(...(await Promise.all(next.map((number) => watch(number, [`bench.${number % TYPES}`])))));
  }
  const memory = (server.memoryBytes() - idleMemory) / WATCHERS / 1_024;
  console.log(`${WATCHERS} watchers: ${memory.toFixed(0)} KB of memory each`);

  const slow = await watch(WATCHERS + 1, []);
  const delays: number[] = [];
  for (const watcher of watchers) {
    watcher.read(({ event }) => {
      const { seconds = 0n, nanos = 0 } = event?.creationDate ?? {};
      if (seconds > 0n) delays.push(Date.now() - (Number(seconds) * 1_000 + nanos / 1e6));
    });
  }
  const all = readAll(await watch(WATCHERS, []), total);
  const cpuBefore = server.cpuSeconds();
  const ownBefore = process.cpuUsage();
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
  const isInOrder = await all;
  const readIn = (performance.now() - startedAt) / 1_000;
  const share = (server.cpuSeconds() - cpuBefore) / readIn;
  // The last messages to the others may still be on the way.
  await delay(2_000);
  const cpu = server.cpuSeconds() - cpuBefore;
  const own = process.cpuUsage(ownBefore);
  const messages = delays.length + total;
  console.log(`${total} events appended in ${appendedIn.toFixed(1)} s, ${Math.round(total / appendedIn)} per second`);
  console.log(`the watcher of all events had them after ${readIn.toFixed(1)} s, in order: ${isInOrder}`);
  delays.sort((a, b) => a - b);
  const at = (share: number) => (delays[Math.floor(delays.length * share)] ?? 0).toFixed(0);
  console.log(`${delays.length} events to the others: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms after they were appended`);
  console.log(
    `CPU of the service: ${(share * 100).toFixed(0)} % of a core until then, ${cpu.toFixed(1)} s in all, ` +
      `${((cpu / messages) * 1e6).toFixed(0)} µs per message; of this client: ${((own.user + own.system) / 1e6).toFixed(1)} s`,
  );
  console.log(`memory at the end: ${(server.memoryBytes() / 2 ** 20).toFixed(0)} MB`);
  console.log(`the watcher that had not read got the rest in order: ${await readAll(slow, total)}`);
  for (const session of sessions.values()) session.destroy();
}

/** Resolves once so many events have arrived: whether they came in order. */
function readAll(watcher: WatchStream, count: number): Promise<boolean> {
  let [read, position, isInOrder] = [0, 0n, true];
  return new Promise((resolve) => {
    watcher.read((message) => {
      if (message.event === undefined) return;
      isInOrder &&= message.position > position;
      position = message.position;
      read += 1;
      if (read === count) resolve(isInOrder);
    });
  });
}

function sessionOf(port: number, connection: number): ClientHttp2Session {
  const known = sessions.get(connection) ?? connectHttp2(`http://127.0.0.1:${port}`);
  sessions.set(connection, known);
  return known;
}

async function createTokens(url: string, count: number): Promise<string[]> {
  const db = connect({ url }, 1, () => {});
  const parts = { db, clock: () => new Date() };
  const { id: scopeId } = await db.selectFrom("instance").select("id").executeTakeFirstOrThrow();
  const tokens: string[] = [];
  let orgId = "";
  for (let number = 0; number < count; number++) {
    if (number % USERS_PER_ORG === 0) orgId = await createOrg(parts, `Watchers ${number}`);
    const { id } = await ensureMachineUser(parts, orgId, `watcher-${number}`);
    await grantRole(parts, { user: { id, orgId }, role: "INSTANCE_VIEWER", scopeId });
    tokens.push((await createToken(parts, { id, orgId }, null)).token);
  }
  await db.destroy();
  return tokens;
}
