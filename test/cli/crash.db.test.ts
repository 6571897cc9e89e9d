import { afterAll, describe, expect, test } from "@jest/globals";
import { type Kysely, sql } from "kysely";
import { connect } from "../../src/database/connection.ts";
import type { Tables } from "../../src/database/tables.ts";
import { DATABASE_KINDS, type DatabaseKind } from "../support/database.ts";
import { createProcesses, human, IMPORT_PATH, readToken, send, type TestServer, until } from "../support/process.ts";

/** As many as there are connections to the embedded database: more would wait, and a busy machine would refuse them. */
const IN_FLIGHT = { postgres: 16, embedded: 4 } satisfies Record<DatabaseKind, number>;
/** Responses to wait for before the kill, so that it happens in the middle of the stream. */
const BEFORE_KILL = 80;
const HASH = "$2b$10$abcdefghijklmnopqrstuuBkwQU5bq0mFCYd4JvMwG9CmHDUYrKSe";

const processes = createProcesses();
processes.secret(HASH);
afterAll(() => processes.close());

/** An import that writes to every table it can: link, code, message and four events. */
function importOf(name: string, idpId: string) {
  return {
    ...human(name),
    email: { email: `${name}@example.com`, isEmailVerified: false },
    phone: { phone: "+41791234567", isPhoneVerified: true },
    hashedPassword: { value: HASH },
    idps: [{ configId: idpId, externalUserId: name, displayName: name }],
  };
}
const EVENTS = [
  "user.human.added",
  "user.human.idp.linked",
  "user.human.phone.verified",
  "user.human.initialization.requested",
];

interface Stream {
  /** User names by the id in the response. */
  readonly acknowledged: Map<string, string>;
  readonly asked: string[];
}

/** Imports users, `inFlight` at a time, and kills the server meanwhile. */
async function importUntilKilled(
  server: TestServer,
  { token, idpId, prefix, inFlight }: { token: string; idpId: string; prefix: string; inFlight: number },
): Promise<Stream> {
  const stream: Stream = { acknowledged: new Map(), asked: [] };
  let isKilled = false;
  const importOn = async () => {
    while (!isKilled) {
      const name = `${prefix}-${stream.asked.length}`;
      stream.asked.push(name);
      const answer = await send(server.origin, "POST", IMPORT_PATH, { token, body: importOf(name, idpId) }).catch(
        () => undefined,
      );
      if (answer === undefined) return;
      expect(answer).toMatchObject({ status: 200, body: { details: { sequence: String(EVENTS.length) } } });
      stream.acknowledged.set(answer.body.userId, name);
    }
  };
  const all = Promise.all(Array.from({ length: inFlight }, importOn));
  await Promise.race([until("enough is acknowledged", () => stream.acknowledged.size >= BEFORE_KILL), all]);
  server.child.kill("SIGKILL");
  isKilled = true;
  await all;
  expect(await server.ended).toMatchObject({ signal: "SIGKILL" });
  return stream;
}

/** Everything that is stored of each human user. */
async function readUsers(db: Kysely<Tables>) {
  const { rows } = await sql<{ id: string; name: string; whole: Record<string, unknown> }>`
    select u.id, u.user_name as name, jsonb_build_object(
      'sequence', u.sequence,
      'hash', u.password_hash,
      'phone', u.phone,
      'links', (select coalesce(jsonb_agg(l.external_user_id), '[]') from user_idp_links l
        where l.org_id = u.org_id and l.user_id = u.id),
      'codes', (select coalesce(jsonb_agg(c.kind), '[]') from codes c where c.org_id = u.org_id and c.user_id = u.id),
      'messages', (select coalesce(jsonb_agg(m.recipient), '[]') from messages m
        join codes c on c.org_id = m.org_id and c.id = m.code_id and c.user_id = m.user_id
        where m.org_id = u.org_id and m.user_id = u.id),
      'events', (select coalesce(jsonb_agg(e.type order by e.sequence), '[]') from events e
        where e.owner_id = u.org_id and e.aggregate_id = u.id),
      'sequences', (select coalesce(jsonb_agg(e.sequence order by e.sequence), '[]') from events e
        where e.owner_id = u.org_id and e.aggregate_id = u.id)
    ) as whole
    from users u where u.kind = 'human'`.execute(db);
  return rows;
}

/** Everything that an import stores. */
function wholeUser(name: string) {
  return {
    sequence: EVENTS.length,
    hash: HASH,
    phone: "+41791234567",
    links: [name],
    codes: ["initialization"],
    messages: [`${name}@example.com`],
    events: EVENTS,
    sequences: EVENTS.map((_, index) => index + 1),
  };
}

/** Rows without their object, by table. */
async function countOrphans(db: Kysely<Tables>): Promise<Record<string, bigint>> {
  const { rows } = await sql<Record<string, bigint>>`
    with owned as (select org_id, id from users)
    select
      (select count(*) from user_idp_links l where not exists (select from owned o where o.org_id = l.org_id and o.id = l.user_id)) as links,
      (select count(*) from codes c where not exists (select from owned o where o.org_id = c.org_id and o.id = c.user_id)) as codes,
      (select count(*) from messages m where not exists (select from codes c where c.org_id = m.org_id and c.id = m.code_id)) as messages,
      (select count(*) from events e where
        not exists (select from owned o where o.org_id = e.owner_id and o.id = e.aggregate_id)
        and not exists (select from orgs where orgs.id = e.aggregate_id)
        and not exists (select from instance where instance.id = e.aggregate_id)
        and not exists (select from idps where idps.owner_id = e.owner_id and idps.id = e.aggregate_id)) as events,
      (select count(*) from (select position from events group by position having count(*) > 1) as twice) as positions
    `.execute(db);
  return rows[0] ?? {};
}

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  test("a killed server loses nothing that it acknowledged, and writes each import as a whole or not at all", async () => {
    const { variables, address, tokenFile } = await processes.createInstallation(kind, kind);
    let server = await processes.serve(variables);
    const token = readToken(tokenFile);
    const idp = await send(server.origin, "POST", "/management/v1/idps/oidc", {
      token,
      body: {
        name: "Corp",
        clientId: "c",
        clientSecret: processes.secret("crash-client-secret"),
        issuer: "https://idp.example.com",
      },
    });
    const acknowledged = new Map<string, string>();
    const asked = new Set<string>();
    for (const round of ["first", "second"]) {
      const stream = await importUntilKilled(server, {
        token,
        idpId: idp.body.idpId,
        prefix: round,
        inFlight: IN_FLIGHT[kind],
      });
      for (const [id, name] of stream.acknowledged) acknowledged.set(id, name);
      for (const name of stream.asked) asked.add(name);
      // Otherwise the kill came when no call was running.
      expect(stream.asked.length).toBeGreaterThan(stream.acknowledged.size);

      server = await processes.serve(variables);
      const db = connect(address, 1, () => {});
      const users = await readUsers(db);
      expect(await countOrphans(db)).toEqual({ links: 0n, codes: 0n, messages: 0n, events: 0n, positions: 0n });
      await db.destroy();

      const names = new Map(users.map(({ id, name }) => [id, name]));
      const lost = [...acknowledged].filter(([id, name]) => names.get(id) !== name);
      expect(lost).toEqual([]);
      // An import without a response is stored as a whole or not at all.
      for (const { name, whole } of users) {
        expect(asked.has(name)).toBe(true);
        expect(whole).toEqual(wholeUser(name));
      }
      expect(users.length).toBeLessThanOrEqual(acknowledged.size + 2 * IN_FLIGHT[kind]);
    }
    // Stored names are taken, and new imports work.
    const [, name = ""] = [...acknowledged][0] ?? [];
    const again = await send(server.origin, "POST", IMPORT_PATH, { token, body: importOf(name, idp.body.idpId) });
    expect(again).toMatchObject({ status: 409, body: { code: 6 } });
    const next = await send(server.origin, "POST", IMPORT_PATH, { token, body: importOf("next", idp.body.idpId) });
    expect(next).toMatchObject({ status: 200 });
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});
