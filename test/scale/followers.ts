import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import pg from "pg";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { send } from "../support/clients/send.ts";
import { until } from "../support/until.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import type { Figures } from "./scenario.ts";

/** What follows the events of the default organization during a scenario: a client of WatchEvents, and a webhook. */
export interface Followers {
  /**
   * Waits until both have got all events in the database, and compares them.
   *
   * @throws Error if an event is missing, or was sent twice with different ids, or out of order.
   */
  check(url: string): Promise<Figures>;
  stop(): Promise<void>;
}

export interface FollowerOptions {
  /** The process that is watched at first, and then those that are watched in turn after a stream has ended. */
  readonly origins: readonly string[];
  readonly token: string;
}

const LONGEST_MS = 120_000;
const PAUSE_MS = 100;

export async function startFollowers({ origins, token }: FollowerOptions): Promise<Followers> {
  const [origin = ""] = origins;
  const receiver = await startReceiver();
  const watcher = startWatcher(origins, token);
  const body = { name: "Follower", url: receiver.url };
  // Right after startup, a busy service rejects unknown callers.
  await until("the webhook is added", async () => {
    const { status } = await send(origin, "POST", "/management/v1/webhooks", { token, body });
    return status === 200;
  });

  async function check(url: string): Promise<Figures> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      // Time passes for what processes that were killed, or lost their connection, have claimed.
      await client.query(
        "update webhook_deliveries set next_attempt_at = now() where state = 'waiting' and attempts > 0",
      );
      const { rows } = await client.query<{ position: string; object: string; webhook: boolean }>(
        `select position, aggregate_id as object, position >= (
          select min(position) from events where type = 'org.webhook.added') as webhook
        from events where owner_id = (select owner_id from webhooks) order by position`,
      );
      const watched = rows.map(({ position }) => position);
      const sent = rows.filter(({ webhook }) => webhook);
      await until("the watcher has all events", () => watcher.positions.length >= watched.length, LONGEST_MS);
      const arrived = () => new Set(receiver.received.map(({ event }) => event.data.sequence)).size;
      await until("the webhook has all events", () => arrived() >= sent.length, LONGEST_MS);
      const problems = [
        ...(isEqual(watcher.positions, watched) ? [] : ["the watcher has got other events than those in the database"]),
        ...findProblems(receiver.received, sent),
      ];
      if (problems.length > 0) throw new Error(problems.slice(0, 10).join("; "));
    } finally {
      await client.end();
    }
    return {
      "events that a watcher has got, each once and in order": watcher.positions.length,
      "streams that it has opened": watcher.streams(),
      "events that a webhook has got, in order for each object": arrivedOnce(),
      "of them more than once, with the same id": receiver.received.length - arrivedOnce(),
    };
  }

  const arrivedOnce = () => new Set(receiver.received.map(({ id }) => id)).size;
  return {
    check,
    async stop() {
      await watcher.stop();
      await receiver.close();
    },
  };
}

/** Watches one process after another. A new stream continues after the last response of the one before. */
function startWatcher(origins: readonly string[], token: string) {
  const positions: string[] = [];
  const stopping = new AbortController();
  let streams = 0;

  async function follow(): Promise<void> {
    let afterPosition = 0n;
    while (!stopping.signal.aborted) {
      const baseUrl = origins[streams++ % origins.length] ?? "";
      const client = createClient(ManagementService, createGrpcTransport({ baseUrl }));
      const options = { headers: { authorization: `Bearer ${token}` }, signal: stopping.signal };
      try {
        for await (const { event, position } of client.watchEvents({ afterPosition }, options)) {
          if (event !== undefined) positions.push(String(event.sequence));
          afterPosition = position;
        }
      } catch {
        await delay(PAUSE_MS);
      }
    }
  }

  const running = follow();
  return {
    positions,
    streams: () => streams,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

interface Arrival {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly event: { readonly data: { readonly sequence: string; readonly aggregate: { readonly id: string } } };
}

function findProblems(
  received: readonly Arrival[],
  sent: readonly { readonly position: string; readonly object: string }[],
): string[] {
  const ids = new Map<string, string>();
  const firsts = new Map<string, string[]>();
  const problems: string[] = [];
  for (const { id, event } of received) {
    const { sequence, aggregate } = event.data;
    const known = ids.get(sequence);
    if (known !== undefined && known !== id) problems.push(`event ${sequence} has the ids ${known} and ${id}`);
    if (known !== undefined) continue;
    ids.set(sequence, id);
    firsts.set(aggregate.id, [...(firsts.get(aggregate.id) ?? []), sequence]);
  }
  const byObject = Map.groupBy(sent, ({ object }) => object);
  for (const [object, events] of byObject) {
    const expected = events.map(({ position }) => position);
    if (!isEqual(firsts.get(object) ?? [], expected)) {
      problems.push(`the webhook got ${firsts.get(object)} of ${object}, not ${expected}`);
    }
  }
  return problems;
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
