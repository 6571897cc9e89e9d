import pg from "pg";
import type { Acknowledged } from "./load.ts";

export interface Checked {
  /** Acknowledged calls whose object, event or value is missing. */
  readonly lost: readonly string[];
  /** Partially stored objects: events without their object, gaps between events, users without code or message. */
  readonly partial: readonly string[];
  readonly objects: number;
}

/** The objects of the load, with the sequences and phones of their events. */
const OBJECTS = `
  select objects.id, objects.sequence::int, objects.kind,
    array_agg(events.sequence::int order by events.sequence) as sequences,
    array_agg(events.payload ->> 'phone' order by events.sequence) as phones,
    objects.codes, objects.messages
  from (
    select org_id as owner_id, id, sequence, 'user' as kind,
      (select count(*)::int from codes where codes.org_id = users.org_id and codes.user_id = users.id) as codes,
      (select count(*)::int from messages join codes on codes.org_id = messages.org_id and codes.id = messages.code_id
        where codes.org_id = users.org_id and codes.user_id = users.id) as messages
    from users where kind = 'human' and user_name like 'load-%'
    union all select owner_id, id, sequence, 'idp', 1, 1 from idps
  ) as objects
  left join events on events.owner_id = objects.owner_id and events.aggregate_id = objects.id
  group by objects.id, objects.sequence, objects.kind, objects.codes, objects.messages`;

const ORPHANS = `
  select aggregate_id as id from events
  where type in ('user.human.added', 'org.idp.oidc.added', 'instance.idp.oidc.added')
    and not exists (select from users where users.org_id = events.owner_id and users.id = events.aggregate_id)
    and not exists (select from idps where idps.owner_id = events.owner_id and idps.id = events.aggregate_id)`;

interface Row {
  id: string;
  sequence: number;
  kind: string;
  sequences: (number | null)[];
  phones: (string | null)[];
  codes: number;
  messages: number;
}

/** Compares the responses to the load with the stored data. */
export async function checkWrites(url: string, acknowledged: readonly Acknowledged[]): Promise<Checked> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<Row>(OBJECTS);
  const orphans = await client.query<{ id: string }>(ORPHANS);
  await client.end();
  const stored = new Map(rows.map((row) => [row.id, row]));
  return {
    lost: acknowledged.filter((one) => !isStored(one, stored.get(one.id))).map(({ rpc, id }) => `${rpc} ${id}`),
    partial: [...rows.filter((row) => !isWhole(row)).map(({ id }) => id), ...orphans.rows.map(({ id }) => id)],
    objects: rows.length,
  };
}

function isStored({ sequence, phone }: Acknowledged, row: Row | undefined): boolean {
  if (row === undefined || !row.sequences.includes(sequence)) return false;
  // The last event of the change says that the number is verified, and the one before has it.
  return phone === undefined || row.phones[sequence - 2] === phone;
}

function isWhole({ sequence, sequences, codes, messages }: Row): boolean {
  return (
    sequences.length === sequence && sequences.every((one, index) => one === index + 1) && codes === 1 && messages === 1
  );
}
