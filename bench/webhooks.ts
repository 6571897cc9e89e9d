/**
 * Measures how long events take to a webhook that responds at once, alone and beside webhooks that do not respond, while
 * many other events are recorded. Requires Linux.
 *
 * `node bench/webhooks.ts [--rate <events per second>] [--wanted <per second>] [--slow <webhooks>] [--seconds <number>]`
 *
 * Every webhook has the events of the same organization, and wants `--wanted` of the `--rate` events, each of another user.
 * The service looks at all of them for each webhook.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ManagementService } from "../gen/signet/v1/management_pb.js";
import { type NewInstance, withNewInstance } from "./new-instance.ts";

const { values: flags } = parseArgs({
  options: {
    rate: { type: "string", default: "10000" },
    wanted: { type: "string", default: "100" },
    slow: { type: "string", default: "10" },
    seconds: { type: "string", default: "10" },
  },
});
const [RATE, WANTED, SLOW, SECONDS] = [flags.rate, flags.wanted, flags.slow, flags.seconds].map(Number) as [
  number,
  number,
  number,
  number,
];
/** Events that one statement appends. */
const BATCH = 100;
const [WANTED_TYPE, OTHER_TYPE] = ["user.human.profile.changed", "user.human.phone.changed"];
/** How long to wait for the last events. */
const LONGEST_MS = 120_000;

interface Arrival {
  readonly webhookId: string;
  readonly delayMs: number;
}

/** A receiver that responds with 204, or not at all. */
interface Receiver {
  readonly url: string;
  readonly arrivals: Arrival[];
  close(): Promise<void>;
}

await withNewInstance(run, { IDP_ALLOW_PRIVATE_NETWORKS: "true" });

async function run(instance: NewInstance): Promise<void> {
  const api = createClient(ManagementService, createGrpcTransport({ baseUrl: `http://127.0.0.1:${instance.port}` }));
  const headers = { authorization: `Bearer ${instance.token}` };
  const [quick, slow] = [await startReceiver(true), await startReceiver(false)];
  const add = (name: string, url: string) => api.addWebhook({ name, url, eventTypes: [WANTED_TYPE] }, { headers });
  await add("quick", quick.url);
  await waitForFirst(instance, quick);
  await analyze(instance);
  await measure("alone", instance, quick);
  for (let n = 0; n < SLOW; n++) await add(`slow ${n}`, slow.url);
  await instance.client.query("analyze");
  await measure(`beside ${SLOW} that do not respond`, instance, quick);
  console.log(`the others got ${slow.arrivals.length} requests`);
  // Ends the requests that are in flight, so that the service can stop.
  await Promise.all([quick.close(), slow.close()]);
}

/**
 * Appends events, and gathers the statistics of the tables, which autovacuum does in the first minute of an instance. Until
 * then, PostgreSQL reads all events of an organization to find its new ones.
 */
async function analyze({ client }: NewInstance): Promise<void> {
  for (let first = 1; first < 20_000; first += BATCH) {
    await append(client, { first, last: first + BATCH - 1, every: 100_000 });
  }
  await client.query("analyze");
  await delay(2_000);
}

/** A process notices the first webhook of an instance within five seconds. */
async function waitForFirst({ client }: NewInstance, { arrivals }: Receiver): Promise<void> {
  await append(client, { first: 0, last: 0, every: 1 });
  const startedAt = performance.now();
  while (arrivals.length === 0 && performance.now() - startedAt < LONGEST_MS) await delay(20);
}

/** Appends events with these numbers. One of `every` has the type that the webhooks want. */
async function append(
  client: NewInstance["client"],
  { first, last, every }: { readonly first: number; readonly last: number; readonly every: number },
): Promise<void> {
  await client.query(
    `insert into events (owner_id, aggregate_id, sequence, type, created_at, payload)
    select orgs.id, gen_random_uuid(), 1, case when n % $1::integer = 0 then $2 else $3 end, clock_timestamp(), '{"firstName":"Ada"}'
    from (select id from orgs order by created_at limit 1) as orgs
      cross join generate_series($4::integer, $5::integer) as n`,
    [every, WANTED_TYPE, OTHER_TYPE, first, last],
  );
}

/** Appends events at the rate, and prints how long those that the webhook wants take to it. */
async function measure(when: string, { client, server }: NewInstance, { arrivals }: Receiver): Promise<void> {
  arrivals.length = 0;
  const [total, every] = [RATE * SECONDS, Math.max(1, Math.round(RATE / WANTED))];
  const cpuBefore = server.cpuSeconds();
  const startedAt = performance.now();
  for (let sent = 0; sent < total; sent += BATCH) {
    const ahead = (sent / RATE) * 1_000 - (performance.now() - startedAt);
    if (ahead > 1) await delay(ahead);
    await append(client, { first: sent + 1, last: sent + BATCH, every });
  }
  const appendedIn = (performance.now() - startedAt) / 1_000;
  const wanted = Math.floor(total / every);
  while (arrivals.length < wanted && performance.now() - startedAt < LONGEST_MS) await delay(20);
  const arrivedIn = (performance.now() - startedAt) / 1_000;
  const cpu = (server.cpuSeconds() - cpuBefore) / arrivedIn;
  const delays = arrivals.map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  const at = (share: number) => (delays[Math.floor(delays.length * share)] ?? Number.NaN).toFixed(0);
  const distinct = new Set(arrivals.map(({ webhookId }) => webhookId)).size;
  console.log(`${when}: ${Math.round(total / appendedIn)} events per second for ${appendedIn.toFixed(1)} s`);
  console.log(
    `  ${distinct} of ${wanted} arrived, ${arrivals.length - distinct} of them again, the last ` +
      `${(arrivedIn - appendedIn).toFixed(1)} s after all were recorded`,
  );
  console.log(`  p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(0.99999)} ms after they were recorded`);
  console.log(`  CPU of the service: ${(cpu * 100).toFixed(0)} % of a core`);
}

async function startReceiver(responds: boolean): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const server: Server = createServer(async (request, response) => {
    const { timestamp } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    arrivals.push({ webhookId: String(request.headers["webhook-id"]), delayMs: Date.now() - Date.parse(timestamp) });
    if (responds) response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
