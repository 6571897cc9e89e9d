import { randomBytes } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { sql } from "kysely";
import { pino } from "pino";
import { createSignetClient } from "../../clients/typescript/src/node.ts";
import { EVENT_KINDS } from "../../console/screens/audit/event-kinds.ts";
import { readSearch, SORTS, STATES, toRequest } from "../../console/screens/users/user-search.ts";
import { UserMessageState } from "../../gen/signet/v1/user_message_pb.js";
import { connect } from "../../src/database/connection.ts";
import type { Database, Query } from "../../src/database/database.ts";
import { createTableMaintenance } from "../../src/instance/table-maintenance.ts";
import { createTestDatabase, type DatabaseKind, watchQueries } from "../support/databases/database.ts";
import { countRowsRead } from "../support/databases/rows-read.ts";
import { startService } from "../support/servers/service.ts";

/** A list counts at most 10,000 matching rows, and a search for events examines as many twice. */
const MOST_ROWS = 25_000;

/** Orders and filters without an index: the statement reads all users for the count, and again for the page. */
const WITHOUT_INDEX = /^users (by state|by lastSignIn|who are (active|inactive|locked|initial)|of a type)$/;

const DAY_MS = 86_400_000;

/**
 * Fills the organization `default` with users, two events and a third of a message each, and lets the service's own
 * maintenance analyze the tables.
 *
 * @returns The pages of the console.
 */
export async function openPages(kind: DatabaseKind, users: number) {
  const sent: Query[] = [];
  const database = await createTestDatabase(kind);
  const db = watchQueries(database.db, (query) => void sent.push(query));
  const existing = { database: { ...database, db }, masterKey: randomBytes(32), port: 0 };
  const service = await startService(kind, {}, { existing });
  const { orgId } = service;
  await unlimited(fill);
  await createTableMaintenance({ db, isEmbedded: kind === "embedded", log: pino({ level: "silent" }) }).maintainDue();
  const { management, admin } = createSignetClient({ baseUrl: service.origin, token: service.adminToken });

  const usersPage = (parameters: string) => () =>
    management.listUsers(toRequest(readSearch(new URLSearchParams(parameters))));
  const eventsOf = (eventTypes: readonly string[]) => () =>
    management.listEvents({
      limit: 1_000,
      eventTypes: [...eventTypes],
      creationDateFilter: { case: "range", value: { since: timestampFromDate(new Date(Date.now() - DAY_MS)) } },
    });
  const states = [UserMessageState.WAITING, UserMessageState.FAILED, UserMessageState.SENT];
  const pages: Record<string, () => Promise<unknown>> = {
    ...Object.fromEntries(Object.keys(SORTS).map((sort) => [`users by ${sort}`, usersPage(`sort=${sort}`)])),
    ...Object.fromEntries(Object.keys(STATES).map((state) => [`users who are ${state}`, usersPage(`state=${state}`)])),
    "users found by a name": usersPage("q=lovelace+7777"),
    "users found by a number": usersPage("q=%2B417900777"),
    "users of a type": usersPage("type=machine"),
    ...Object.fromEntries(Object.entries(EVENT_KINDS).map(([name, types]) => [`events: ${name}`, eventsOf(types)])),
    "all events": () => management.listEvents({ limit: 100 }),
    "events of the instance": () => admin.listEvents({ limit: 100, eventTypes: ["org.added"] }),
    ...Object.fromEntries(
      states.map((state) => [
        `messages: ${UserMessageState[state]}`,
        () => management.listUserMessages({ query: { limit: 50 }, state }),
      ]),
    ),
    "all messages": () => management.listUserMessages({ query: { limit: 50 } }),
    organizations: () => admin.listOrgs({ query: { limit: 50 } }),
    members: () => management.listOrgMembers({ query: { limit: 50 } }),
    "members of the instance": () => admin.listIAMMembers({ query: { limit: 50 } }),
  };
  return {
    /** Opens each page. Returns those with a statement that reads too many rows, and the number of rows. */
    async findReadingTooMuch(): Promise<Record<string, number>> {
      const found: Record<string, number> = {};
      for (const [name, open] of Object.entries(pages)) {
        sent.length = 0;
        await open();
        let rows = 0;
        for (const query of [...sent]) rows = Math.max(rows, await countRowsRead(database.db, query));
        const most = WITHOUT_INDEX.test(name) || hasNoTrigrams(name) ? 2 * users + MOST_ROWS : MOST_ROWS;
        if (rows === 0 || rows > most) found[name] = rows;
      }
      return found;
    },
    async close(): Promise<void> {
      // The service looks for secrets in all rows when it is closed.
      await unlimited((one) => sql`truncate users, events, messages cascade`.execute(one));
      await service.close();
    },
  };

  /** The embedded database has no index for parts of names. */
  function hasNoTrigrams(name: string): boolean {
    return kind === "embedded" && name === "users found by a name";
  }

  /** Runs statements without time limits. */
  async function unlimited(use: (one: Database) => Promise<unknown>): Promise<void> {
    const one = connect(database.address, 1, () => {}, { timeLimits: false });
    await use(one);
    await one.destroy();
  }

  async function fill(one: Database): Promise<void> {
    const id = sql`('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
    const numbers = sql`generate_series(1, ${sql.lit(users)}) as n`;
    const time = sql`now() - n * interval '1 second'`;
    await sql`
      insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email,
        email_verified, phone, state, initialized, last_signed_in_at, sequence, created_at, changed_at)
      select ${orgId}::uuid, ${id}, 'human', 'user-' || n, 'user-' || n, 'Ada', 'Lovelace', 'Ada Lovelace ' || n, 0,
        'user-' || n || '@example.com', true, '+4179' || lpad(n::text, 7, '0'),
        case when n % 1000 = 0 then 'locked' else 'active' end, n % 10 > 0, case when n % 3 = 0 then ${time} end, 1,
        ${time}, ${time}
      from ${numbers}`.execute(one);
    await sql`
      insert into events (owner_id, aggregate_id, sequence, type, created_at, payload)
      select ${orgId}::uuid, ${id}, sequence, type, ${time}, '{}'
      from ${numbers}, (values (1, 'user.human.added'), (2, 'user.human.email.verified')) as event (sequence, type)`.execute(
      one,
    );
    await sql`
      insert into messages (org_id, id, user_id, notice, channel, recipient, created_at, state, next_attempt_at, ended_at)
      select ${orgId}::uuid, ${id}, ${id}, 'password-changed', 'email', 'a@example.com', ${time},
        case when n % 1000 = 0 then 'waiting' else 'sent' end, case when n % 1000 = 0 then ${time} end,
        case when n % 1000 > 0 then ${time} end
      from ${numbers} where n % 3 = 0 or n % 1000 = 0`.execute(one);
  }
}
