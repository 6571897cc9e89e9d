import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Embedded, embeddedAddress, startEmbedded } from "../../src/database/embedded.ts";
import { serveSession } from "../../src/database/session-server.ts";
import { MAX_PREPARED } from "../../src/database/session-statements.ts";
import { environment } from "../support/databases/database.ts";

const root = mkdtempSync(join(tmpdir(), "signet-embedded-"));
const dataDir = join(root, "data");
/** A stopped database with the same rows. */
const template = join(root, "template");
let embedded: Embedded;

beforeAll(async () => {
  cpSync(environment("TEST_EMBEDDED_TEMPLATE"), dataDir, { recursive: true });
  const first = await startEmbedded(dataDir);
  const client = await open(first);
  await client.query("create table kept (n int)");
  await client.query("insert into kept values (1)");
  await client.query("create table things (id text primary key, n int not null constraint things__n check (n >= 0))");
  await client.end();
  await first.close();
  cpSync(join(dataDir, "db"), template, { recursive: true });
  embedded = await startEmbedded(dataDir);
});

afterAll(async () => {
  await embedded.close();
  rmSync(root, { recursive: true, force: true });
});

/** A connection. Its loss is reported by the next query, as in a pool. */
async function open({ socketDir }: { socketDir: string }): Promise<pg.Client> {
  const client = new pg.Client({ host: socketDir, port: 5432, user: "postgres", database: "postgres" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

function socketOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

async function count(where: Embedded, sql: string): Promise<number> {
  const client = await open(where);
  const { rows } = await client.query(`select count(*)::int as n from ${sql}`);
  await client.end();
  return rows[0].n;
}

describe("many connections", () => {
  const CONNECTIONS = 16;
  const ROUNDS = 80;
  // More than a Unix socket holds, so that a batch arrives in pieces.
  const LARGE = "x".repeat(600_000);

  test("receive the responses to their own statements", async () => {
    const outcomes = await Promise.all(Array.from({ length: CONNECTIONS }, (_, c) => converse(c)));
    expect(outcomes.flat()).toEqual([]);
    const isInsert = (_: unknown, i: number) => (Math.floor(i / ROUNDS) + (i % ROUNDS)) % 8 === 3;
    const inserts = Array.from({ length: CONNECTIONS * ROUNDS }).filter(isInsert).length;
    expect(await count(embedded, "things where id like 'stress %'")).toBe(inserts);
  });

  /** Runs statements, and returns a description of each wrong response. */
  async function converse(c: number): Promise<string[]> {
    const wrong: string[] = [];
    let client = await open(embedded);
    for (let round = 0; round < ROUNDS; round++) {
      const me = `stress ${c} ${round}`;
      const rows = async (text: string, values: unknown[], right: object, name = "") => {
        const response = await client.query({ name, text, values }).then(
          (result) => JSON.stringify(result.rows),
          (error) => `${error.code} ${error.message}`,
        );
        if (response !== JSON.stringify([right])) wrong.push(`${me}: ${text}: ${response.slice(0, 200)}`);
      };
      const error = async (text: string, values: unknown[], code: string) => {
        const response = await client.query(text, values).then(
          (result) => JSON.stringify(result.rows),
          (error) => error.code,
        );
        if (response !== code) wrong.push(`${me}: ${text}: ${response.slice(0, 200)}`);
      };
      switch ((c + round) % 8) {
        case 0:
          await rows("select $1::text as a", [me], { a: me }, "a");
          break;
        case 1:
          await rows(`select $1::text as a, $2::int as b, ${c} as c`, [me, round], { a: me, b: round, c });
          break;
        case 2:
          await rows("select $1::text as id, length($2) as l", [me, LARGE], { id: me, l: LARGE.length });
          break;
        case 3:
          await rows("insert into things values ($1, $2) returning id, n", [me, round], { id: me, n: round }, "insert");
          break;
        case 4:
          await error("insert into things values ($1, $2)", [me, -1], "23514");
          break;
        case 5:
          await error("selekt $1", [me], "42601");
          break;
        case 6:
          await rows(`select '${me}' as a`, [], { a: me });
          break;
        default:
          // Killed in the middle of a batch; its data is stored as a whole or not at all.
          client.query("select $1::text as lost, $2::text", [me, LARGE]).catch(() => {});
          if (round % 2) socketOf(client).destroy();
          else socketOf(client).destroySoon();
          client = await open(embedded);
      }
    }
    await client.end();
    return wrong;
  }

  test("share named statements, which are prepared once, and again after a change of tables", async () => {
    const [first, second] = [await open(embedded), await open(embedded)];
    const named = { name: "all things", text: "select * from things where id = $1", values: ["named"] };
    const plans =
      "select name, generic_plans + custom_plans as runs from pg_prepared_statements where name like 'all %'";
    await first.query("insert into things values ('named', 1)");
    for (const client of [first, second, first]) {
      expect((await client.query(named)).rows).toEqual([{ id: "named", n: 1 }]);
    }
    expect((await first.query(plans)).rows).toEqual([{ name: "all things", runs: "3" }]);
    await second.query("alter table things add column more int");
    for (const client of [first, second]) {
      expect((await client.query(named)).rows).toEqual([{ id: "named", n: 1, more: null }]);
    }
    expect((await first.query(plans)).rows).toEqual([{ name: "all things", runs: "2" }]);
    await second.query("alter table things drop column more");
    await second.query("discard all");
    expect((await first.query(named)).rows).toEqual([{ id: "named", n: 1 }]);
    await second.query("alter table things rename to others");
    await expect(first.query(named)).rejects.toMatchObject({ code: "42P01" });
    await second.query("alter table others rename to things");
    expect((await first.query(named)).rows).toEqual([{ id: "named", n: 1 }]);
    await Promise.all([first.end(), second.end()]);
  });

  test("cannot use a name for two texts, and can use it after a failed statement", async () => {
    const [first, second] = [await open(embedded), await open(embedded)];
    await expect(first.query({ name: "one", text: "selekt $1", values: [1] })).rejects.toMatchObject({ code: "42601" });
    await first.query("begin");
    await expect(first.query("selekt")).rejects.toMatchObject({ code: "42601" });
    const one = { name: "one", text: "select $1::int as one", values: [1] };
    await expect(first.query(one)).rejects.toMatchObject({ code: "25P02" });
    await first.query("rollback");
    for (const client of [first, second]) expect((await client.query(one)).rows).toEqual([{ one: 1 }]);
    const third = await open(embedded);
    await expect(third.query({ ...one, text: "select $1::int as two" })).rejects.toMatchObject({ code: "42P05" });
    await Promise.all([first.end(), second.end(), third.end()]);
  });

  test("keep the named statements that were used last", async () => {
    const client = await open(embedded);
    const run = (number: number) =>
      client.query({ name: `number ${number}`, text: "select $1::int as n", values: [number] });
    const isPrepared = async (number: number) => {
      const sql = "select from pg_prepared_statements where name = $1";
      return (await client.query(sql, [`number ${number}`])).rows.length === 1;
    };
    for (let number = 0; number < MAX_PREPARED; number++) await run(number);
    await run(0);
    await run(MAX_PREPARED);
    expect([await isPrepared(0), await isPrepared(1), await isPrepared(2)]).toEqual([true, false, true]);
    expect((await run(1)).rows).toEqual([{ n: 1 }]);
    expect(await isPrepared(2)).toBe(false);
    await client.end();
  });

  test("do not interleave with a batch that arrives slowly", async () => {
    const other = await open(embedded);
    const slow = await greeted();
    slow.write(frame("P", "\0select 'mine'\0\0\0"));
    await other.query("select $1::int as a, $2::int as b", [1, 2]);
    await expect(other.query("selekt $1", [1])).rejects.toMatchObject({ code: "42601" });
    slow.write(frame("B", "\0\0\0\0\0\0\0\0"));
    await other.query("select $1::int as a, $2::int as b", [1, 2]);
    slow.write(Buffer.concat([frame("E", "\0\0\0\0\0"), frame("S")]));
    expect(await readUntil(slow, "ZI")).toMatch(/^12D.*mineC/);
    slow.destroy();
    await other.end();
  });

  test("wait for a connection that has sent Flush until it sends Sync", async () => {
    const slow = await greeted();
    slow.write(Buffer.concat([frame("P", "\0select 'mine'\0\0\0"), frame("H")]));
    await readUntil(slow, "1");
    const other = await open(embedded);
    const response = other.query("select $1::int as a", [1]);
    slow.write(Buffer.concat([frame("B", "\0\0\0\0\0\0\0\0"), frame("E", "\0\0\0\0\0"), frame("S")]));
    expect(await readUntil(slow, "ZI")).toMatch(/^2D.*mineC/);
    expect((await response).rows).toEqual([{ a: 1 }]);
    slow.destroy();
    await other.end();
  });
});

describe("a transaction", () => {
  test("keeps other connections waiting until it ends", async () => {
    const [writer, reader] = [await open(embedded), await open(embedded)];
    const order: string[] = [];
    await writer.query("begin");
    const read = reader.query("select n from things where id = 'alone'").then(({ rows }) => {
      order.push("read");
      return rows;
    });
    await writer.query("insert into things values ('alone', 1)");
    await writer.query("update things set n = 2 where id = 'alone'");
    order.push("commit");
    await writer.query("commit");
    expect(await read).toEqual([{ n: 2 }]);
    expect(order).toEqual(["commit", "read"]);
    await Promise.all([writer.end(), reader.end()]);
  });

  test("is rolled back when its connection is killed", async () => {
    const client = await open(embedded);
    await client.query("begin");
    await client.query("insert into things values ('killed', 1)");
    socketOf(client).destroy();
    expect(await count(embedded, "things where id = 'killed'")).toBe(0);
  });

  test("is rolled back when its connection sends Terminate, even after an error", async () => {
    const client = await open(embedded);
    await client.query("begin");
    await client.query("insert into things values ('polite', 1)");
    await expect(client.query("selekt")).rejects.toMatchObject({ code: "42601" });
    await client.end();
    expect(await count(embedded, "things where id = 'polite'")).toBe(0);
  });

  test("ends with its connection when it stays idle, because other connections wait for it", async () => {
    // A session that is always in a transaction. It receives Sync at its end, then ROLLBACK.
    const received: string[] = [];
    const backend = {
      startupResponse: frame("Z", "I"),
      async execute(messages: Uint8Array) {
        received.push(Buffer.from(messages).toString("latin1"));
        return frame("Z", received.length < 3 ? "T" : "I");
      },
    };
    const onBackendFailure = (cause: unknown) => received.push(String(cause));
    const path = join(root, "idle");
    const server = await serveSession({ path, backend, onBackendFailure, maxBatchBytes: 1_000, maxIdleHoldMs: 1 });
    const socket = await greeted(path);
    socket.write(frame("Q", "begin\0"));
    expect(await readUntil(socket, "\0\0")).toContain("25P03");
    await server.close();
    expect(received.map((messages) => messages[0])).toEqual(["Q", "S", "Q"]);
    expect(received[2]).toContain("rollback");
  });
});

describe("a client that misbehaves", () => {
  test("is refused encryption and served in plaintext", async () => {
    const socket = connect(join(embedded.socketDir, ".s.PGSQL.5432"));
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    expect(await readUntil(socket, "N")).toBe("N");
    socket.write(startup());
    expect(await readUntil(socket, "ZI")).toContain("server_version");
    socket.destroy();
  });

  test.each([
    ["54000", "sends too much at once", Buffer.from([0x51, 4, 0, 0, 0])],
    ["08P01", "sends a message of no known type", frame("!")],
    ["08P01", "sends a message of negative length", Buffer.from([0x51, 255, 255, 255, 255])],
  ])("is disconnected with %s when it %s", async (code, _, bytes) => {
    const socket = await greeted();
    socket.write(bytes);
    expect(await readUntil(socket, "\0\0")).toContain(`C${code}`);
    expect(await count(embedded, "kept")).toBe(1);
  });

  test("cannot crash the database with COPY FROM STDIN", async () => {
    const client = await open(embedded);
    await expect(client.query("copy kept from stdin")).rejects.toMatchObject({ code: "57014" });
    await expect(client.query("select $1::int as a", [1])).resolves.toMatchObject({ rows: [{ a: 1 }] });
    await client.end();
  });

  test("cannot crash the database with deep recursion", async () => {
    const client = await open(embedded);
    await expect(client.query(`select ${"1+".repeat(20_000)}1`)).rejects.toMatchObject({ code: "54001" });
    await expect(client.query(`select '${"[".repeat(200_000)}'::jsonb`)).rejects.toMatchObject({ code: "22P02" });
    await client.end();
  });
});

describe("the folder of the database", () => {
  // test/server/start.db.test.ts checks the folders of a new database.
  test("contains a socket folder that is accessible to its owner only", () => {
    expect(modeOf(join(dataDir, "socket"))).toBe("700");
    expect(embedded.socketDir).toBe(embeddedAddress(dataDir));
  });

  test("keeps the rows across a restart, which closes all connections and removes the socket", async () => {
    const client = await open(embedded);
    const ended = new Promise((resolve) => client.once("end", resolve));
    await client.query("begin");
    await client.query("insert into kept values (2)");
    await embedded.close();
    await ended;
    expect(readdirSync(embedded.socketDir)).toEqual([]);
    embedded = await startEmbedded(dataDir);
    expect(await count(embedded, "kept")).toBe(1);
  });

  test("may have a path that is too long for a socket; the socket is then in a private temporary folder", async () => {
    const long = join(root, "n".repeat(100));
    cpSync(template, join(long, "db"), { recursive: true });
    const other = await startEmbedded(long);
    expect(other.socketDir).toBe(embeddedAddress(long));
    expect(other.socketDir.startsWith(join(tmpdir(), "signet-"))).toBe(true);
    expect(modeOf(other.socketDir)).toBe("700");
    expect(await count(other, "kept")).toBe(1);
    await other.close();
    expect(existsSync(other.socketDir)).toBe(false);
  });

  test("is rejected if other users can access that temporary folder", async () => {
    const long = join(root, "m".repeat(100));
    mkdirSync(embeddedAddress(long), { mode: 0o755 });
    try {
      await expect(startEmbedded(long)).rejects.toThrow("mode 0700");
      expect(modeOf(long)).toBe("700");
    } finally {
      rmSync(embeddedAddress(long), { recursive: true });
    }
  });

  test("is rejected with one line if its database cannot be opened", async () => {
    const broken = join(root, "broken");
    cpSync(template, join(broken, "db"), { recursive: true });
    writeFileSync(join(broken, "db", "PG_VERSION"), "14\n");
    await expect(startEmbedded(broken)).rejects.toThrow(/^embedded database: .*incompatible.*$/);
  });
});

describe("a crash of the database", () => {
  test("is reported to the caller of startEmbedded and to all waiting queries", async () => {
    const doomed = join(root, "doomed");
    cpSync(template, join(doomed, "db"), { recursive: true });
    const other = await startEmbedded(doomed);
    const [victim, waiting] = [await open(other), await open(other)];
    await victim.query("begin");
    await victim.query("insert into kept values (2)");
    rmSync(join(doomed, "db", "global"), { recursive: true });
    const pending = waiting.query("select $1::int", [1]);
    const outcomes = Promise.allSettled([victim.query("checkpoint"), pending]);
    expect((await other.crashed).message).toMatch(/^embedded database: .*pg_control/);
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(open(other)).rejects.toMatchObject({ code: "ENOENT" });
    await other.close();
  });
});

/** One message of the protocol. */
function frame(type: string, body = ""): Buffer {
  const bytes = Buffer.from(`${type}....${body}`, "latin1");
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

function startup(): Buffer {
  return Buffer.from("\0\0\0\x17\0\x03\0\0user\0postgres\0\0", "latin1");
}

/** A handwritten connection after its startup. */
async function greeted(path = join(embedded.socketDir, ".s.PGSQL.5432")): Promise<Socket> {
  const socket = connect(path);
  socket.write(startup());
  await readUntil(socket, "ZI");
  return socket;
}

/** The received data, without message lengths, until it ends with the given text. */
function readUntil(socket: Socket, last: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const read = (bytes: Buffer) => {
      seen = Buffer.concat([seen, bytes]);
      const text = withoutLengths(seen);
      if (!text.endsWith(last)) return;
      socket.off("data", read).off("close", fail);
      resolve(text);
    };
    const fail = () => reject(new Error(`closed after ${JSON.stringify(withoutLengths(seen))}`));
    socket.on("data", read).on("close", fail);
  });
}

function withoutLengths(bytes: Buffer): string {
  let text = "";
  let at = 0;
  while (at + 5 <= bytes.length) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    text += bytes.toString("latin1", at, at + 1) + bytes.toString("latin1", at + 5, end);
    at = end;
  }
  return text + bytes.toString("latin1", at);
}
