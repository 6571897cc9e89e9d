import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Config, ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { type EventRow, type EventSearch, type ListEventsParts, listInstanceEvents } from "../events/list-events.ts";
import { createReadSettledPosition } from "../events/settled-position.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import { withDatabase } from "../server/open-database.ts";

interface TailOptions {
  readonly org?: string;
  readonly type?: readonly string[];
  readonly object?: string;
  readonly after?: number;
  readonly limit: number;
  readonly follow: boolean;
  readonly json: boolean;
}

/** How often to look for new events. */
const POLL_MS = 500;
const PAGE = 1_000;

/** `signet events tail`. With --json, each line is an event. */
export async function tailEventsCommand(config: Config, options: TailOptions): Promise<void> {
  await withDatabase(config, async (db) => {
    const parts = { db, readSettledPosition: createReadSettledPosition(db) };
    const search = await toSearch(db, options);
    const settled = await parts.readSettledPosition();
    const first = await readFirst(parts, search, options, settled);
    for (const event of first) printEvent(event, options.json);
    if (!options.follow) return;
    // With --after, the events after the last printed one follow.
    const start = options.after === undefined ? settled : (first.at(-1)?.position ?? BigInt(options.after));
    await follow(parts, { ...search, start }, options.json);
  });
}

type Search = Omit<EventSearch, "ascending" | "start" | "limit">;

async function toSearch(db: Database, { org, type, object }: TailOptions): Promise<Search> {
  if (object !== undefined && !isId(object)) throw new ConfigError(`"${object}" is not the id of an object`);
  return { resourceOwner: org && (await findOrg(db, org)).id, types: type, aggregateId: object };
}

/** The events after a position, or the latest ones; oldest first. */
async function readFirst(
  parts: ListEventsParts,
  search: Search,
  { after, limit }: TailOptions,
  settled: bigint,
): Promise<EventRow[]> {
  const ascending = after !== undefined;
  const found: EventRow[] = [];
  let start: bigint | null = ascending ? BigInt(after) : settled + 1n;
  while (start !== null && found.length < limit) {
    const count = Math.min(PAGE, limit - found.length);
    const page = await listInstanceEvents(parts, { ...search, ascending, start, limit: count }, OPERATOR);
    found.push(...page.events);
    start = page.next === 0n ? null : page.next;
  }
  return ascending ? found : found.reverse();
}

/** Prints new events until the process gets a signal. */
async function follow(parts: ListEventsParts, search: Search & { start: bigint }, asJson: boolean): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  // The reader of a pipe may end first, as `head` does.
  process.stdout.once("error", () => stop.abort());
  let { start } = search;
  while (!stop.signal.aborted) {
    const settled = await parts.readSettledPosition();
    const query = { ...search, ascending: true, start, limit: PAGE };
    const { events, next } = await listInstanceEvents(parts, query, OPERATOR);
    for (const event of events) {
      printEvent(event, asJson);
      if (process.stdout.writableNeedDrain) await once(process.stdout, "drain", stop).catch(() => {});
    }
    const last = events.at(-1)?.position ?? start;
    start = next === 0n ? max(last, settled) : next;
    if (next === 0n) await delay(POLL_MS, undefined, stop).catch(() => {});
  }
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** Nobody cancels the searches of a command. */
const OPERATOR = { throwIfOver() {} };

function printEvent(event: EventRow, asJson: boolean): void {
  const { position, type, created_at: createdAt, aggregate_id: objectId, owner_id: ownerId } = event;
  const { editor_id: editorId, editor_name: editorName, payload } = event;
  const fields = { position: String(position), createdAt, type, ownerId, objectId, editorId, editorName, payload };
  const editor = editorName ?? editorId ?? "-";
  const line = `${position}  ${createdAt.toISOString()}  ${type}  ${objectId}  by ${editor}  ${JSON.stringify(payload)}`;
  console.log(asJson ? JSON.stringify(fields) : line);
}
