import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event, ListEventsRequestSchema, ListEventsResponse } from "../../gen/signet/v1/event_pb.js";
import { type Config, ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import { inOrg } from "../moving/in-org.ts";
import { type Api, type OrgOptions, withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { print } from "./print.ts";

interface TailOptions extends OrgOptions {
  readonly type?: readonly string[];
  readonly object?: string;
  readonly after?: number;
  readonly limit: number;
  readonly follow: boolean;
}

const POLL_MS = 500;
const PAGE = 1_000;

/** `signet events tail`. With --json, each line is an event. */
export async function tailEventsCommand(configuration: () => Config, options: TailOptions): Promise<void> {
  const { type = [], object = "" } = options;
  if (object !== "" && !isId(object)) throw new ConfigError(`"${object}" is not the id of an object`);
  await withApi(configuration, options, async (api) => {
    const log = openLog(api, await findNamedOrg(api, options.org), { eventTypes: [...type], aggregateId: object });
    // Events after the last one follow, if they are not among the first.
    const last = options.follow && options.after === undefined ? await log.readLast() : undefined;
    const first = await readFirst(log, options, last);
    for (const event of first) printEvent(event, options.json);
    if (!options.follow) return;
    await follow(log, last ?? first.at(-1)?.sequence ?? BigInt(options.after ?? 0), options.json);
  });
}

type Request = MessageInitShape<typeof ListEventsRequestSchema>;

/** The events of an organization, or all of them. */
interface EventLog {
  /** Lists events that fit the conditions of the command. */
  list(request: { asc: boolean; sequence: bigint; limit: number }): Promise<ListEventsResponse>;
  /** The position of the last event of any kind. */
  readLast(): Promise<bigint>;
}

function openLog(api: Api, orgId: string | undefined, conditions: Request): EventLog {
  // The permission for the events of an organization suffices, but hides the names of editors of other organizations.
  const list = (request: Request) =>
    orgId === undefined || !api.isServer
      ? api.admin.listEvents({ ...request, resourceOwner: orgId ?? "" })
      : api.management.listEvents(request, inOrg(orgId));
  return {
    list: (request) => list({ ...request, ...conditions }),
    readLast: async () => (await list({ limit: 1 })).events[0]?.sequence ?? 0n,
  };
}

/** The events after a position, or the latest ones up to the last one; oldest first. */
async function readFirst(log: EventLog, { after, limit }: TailOptions, last: bigint | undefined): Promise<Event[]> {
  const asc = after !== undefined;
  const found: Event[] = [];
  let sequence = asc ? BigInt(after) : last === undefined ? 0n : last + 1n;
  do {
    const page = await log.list({ asc, sequence, limit: Math.min(PAGE, limit - found.length) });
    found.push(...page.events);
    sequence = page.nextSequence;
  } while (sequence !== 0n && found.length < limit);
  return asc ? found : found.reverse();
}

/** Prints new events until the process gets a signal. */
async function follow(log: EventLog, start: bigint, asJson: boolean): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  // The reader of a pipe may end first, as `head` does.
  process.stdout.once("error", () => stop.abort());
  let sequence = start;
  while (!stop.signal.aborted) {
    const last = await log.readLast();
    const { events, nextSequence } = await log.list({ asc: true, sequence, limit: PAGE });
    for (const event of events) {
      printEvent(event, asJson);
      if (process.stdout.writableNeedDrain) await once(process.stdout, "drain", stop).catch(() => {});
    }
    sequence = nextSequence === 0n ? max(events.at(-1)?.sequence ?? sequence, last) : nextSequence;
    if (nextSequence === 0n) await delay(POLL_MS, undefined, stop).catch(() => {});
  }
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function printEvent(event: Event, asJson: boolean): void {
  const { sequence, creationDate, type, aggregate, editor, payload = null } = event;
  const fields = {
    position: String(sequence),
    createdAt: creationDate && timestampDate(creationDate).toISOString(),
    type: type?.type,
    ownerId: aggregate?.resourceOwner,
    objectId: aggregate?.id,
    editorId: editor?.userId ?? null,
    editorName: editor?.displayName || null,
    payload,
  };
  const by = fields.editorName ?? fields.editorId ?? "-";
  const parts = [fields.position, fields.createdAt, fields.type, fields.objectId, `by ${by}`, JSON.stringify(payload)];
  print(asJson, fields, [parts.join("  ")]);
}
