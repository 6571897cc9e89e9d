import { sql } from "kysely";
import type { Database } from "../src/database/database.ts";
import type { createOperations } from "../test/support/operations/operations.ts";

/** A bcrypt hash as exported by another system. */
const HASH = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";
/** Rows per statement. */
const BATCH = 10_000;

/**
 * Of twenty users, sixteen are imported with a hash, a verified address and a verified number, three without a number,
 * and one without a password and unverified: it gets an email with a link.
 */
const SHARES = { complete: 16, "without a number": 3, "without a password": 1 } as const;

type Kind = keyof typeof SHARES;

const FIELDS = {
  complete: {
    hashedPassword: { value: HASH },
    phone: { phone: "+41791234567", isPhoneVerified: true },
    email: { email: "ada@example.com", isEmailVerified: true },
  },
  "without a number": {
    hashedPassword: { value: HASH },
    email: { email: "ada@example.com", isEmailVerified: true },
  },
  "without a password": { hashedPassword: undefined, email: { email: "ada@example.com", isEmailVerified: false } },
} as const;

/**
 * Adds users to each organization in turn. The service imports one user of each kind; the others are copies of its rows
 * with different names, addresses, numbers and ids.
 */
export async function fillUsers(
  db: Database,
  importHuman: ReturnType<typeof createOperations>["importHuman"],
  users: number,
): Promise<void> {
  const samples = {} as Record<Kind, string>;
  for (const kind of Object.keys(SHARES) as Kind[]) {
    const { userId } = await importHuman({ userName: kind, ...FIELDS[kind] });
    samples[kind] = userId;
  }
  // Delivered: the content is erased.
  await sql`update messages set state = 'sent', content = null, content_key = null, next_attempt_at = null, attempts = 1,
    ended_at = now()`.execute(db);
  await sql`update codes set expires_at = now() + interval '3 days'`.execute(db);
  await sql`create temporary table sample_orgs as
    select id, (row_number() over (order by id))::int - 1 as number from orgs where name like 'size-%'`.execute(db);
  const startedAt = performance.now();
  for (let from = 0; from < users; from += BATCH) {
    await copyUsers(db, samples, from, Math.min(from + BATCH, users));
    if ((from / BATCH) % 10 === 9) {
      console.error(`${from + BATCH} users after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    }
  }
}

async function copyUsers(db: Database, samples: Record<Kind, string>, from: number, to: number): Promise<void> {
  await sql`
    create temporary table batch as
      select n, orgs.id as org_id, ${uuid("user")} as id, ${uuid("code")} as code_id, ${uuid("message")} as message_id,
        lower(f || '.' || l) || n as user_name, f as first_name, l as last_name, f || ' ' || l as display_name,
        lower(f || '.' || l) || n || case when n % 10 = 0 then '@example.org' else '@example.com' end as email,
        '+4179' || lpad((n % 10000000)::text, 7, '0') as phone, now() + n * interval '1 microsecond' as at,
        case when n % 20 < 16 then ${samples.complete}::uuid when n % 20 < 19 then ${samples["without a number"]}::uuid
          else ${samples["without a password"]}::uuid end as sample_id
      from (
        select n, initcap(substr(translate(md5('f' || n % 1999), '0123456789', 'aeioulmnrs'), 1, 6)) as f,
          initcap(substr(translate(md5('l' || n % 49999), '0123456789', 'aeioulmnrs'), 1, 8)) as l
        from generate_series(${sql.lit(from)}, ${sql.lit(to - 1)}) as n
      ) as named join sample_orgs as orgs on orgs.number = n % (select count(*) from sample_orgs)`.execute(db);
  await sql`
    insert into users select copied.* from batch join users as sample on sample.id = sample_id,
      jsonb_populate_record(sample, jsonb_build_object('org_id', batch.org_id, 'id', batch.id, 'user_name', batch.user_name,
        'user_name_key', batch.user_name, 'first_name', batch.first_name, 'last_name', batch.last_name, 'display_name',
        batch.display_name, 'email', batch.email, 'phone', case when sample.phone is not null then batch.phone end,
        'created_at', at, 'changed_at', at)) as copied order by n`.execute(db);
  await sql`
    insert into codes select copied.* from batch join codes as sample on sample.user_id = sample_id,
      jsonb_populate_record(sample, jsonb_build_object('org_id', batch.org_id, 'id', code_id, 'user_id', batch.id,
        'recipient', batch.email, 'secret_hash', '\\x' || md5(n::text) || md5('s' || n), 'created_at', at)) as copied
      order by n`.execute(db);
  await sql`
    insert into messages select copied.* from batch join messages as sample on sample.user_id = sample_id,
      jsonb_populate_record(sample, jsonb_build_object('org_id', batch.org_id, 'id', message_id, 'user_id', batch.id,
        'code_id', batch.code_id, 'recipient', batch.email, 'created_at', at, 'ended_at', at)) as copied
      order by n`.execute(db);
  await sql`
    insert into events (owner_id, aggregate_id, sequence, type, editor_id, created_at, payload)
    select batch.org_id, batch.id, sample.sequence, sample.type, sample.editor_id, at,
      sample.payload || (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(jsonb_build_object(
        'userName', batch.user_name, 'firstName', batch.first_name, 'lastName', batch.last_name, 'displayName',
        batch.display_name, 'email', batch.email, 'phone', batch.phone, 'codeId', code_id))
        where sample.payload -> key is not null and sample.payload -> key <> 'null')
    from batch join events as sample on sample.aggregate_id = sample_id order by n, sample.sequence`.execute(db);
  await sql`drop table batch`.execute(db);
}

/** Ids in time order with 62 random bits, like UUIDv7. */
function uuid(what: string) {
  return sql`(lpad(to_hex((extract(epoch from now()) * 1000)::bigint + n / 10), 12, '0') || '7'
    || substr(md5(${sql.lit(what)} || n), 1, 3) || '8' || substr(md5(${sql.lit(what)} || n), 4, 15))::uuid`;
}
