import { sql } from "kysely";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { registerKeys } from "../../src/crypto/register-keys.ts";
import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { createRunTogether, type RunTogether } from "../../src/database/run-together.ts";
import { SignetError } from "../../src/errors.ts";
import { createHasher } from "../../src/passwords/hasher.ts";
import { createTestDatabase, type DatabaseKind, type TestDatabase } from "../support/databases/database.ts";
import { createOperations } from "../support/operations/operations.ts";
import { createRandom } from "../support/random.ts";
import {
  type Command,
  createCommandGenerator,
  describeResponse,
  IDPS,
  INSTANCE,
  ORGS,
  readEverything,
  type UserIds,
} from "./generated-commands.ts";

/** Errors of commands that failed, although they would have succeeded one after another. */
const NOT_RUN = new Set(["the call is over", "ABORTED"]);

/** One of the two databases. */
interface Side {
  readonly database: TestDatabase;
  readonly db: Database;
  readonly runTogether: RunTogether;
  readonly userIds: UserIds;
}

/** One for all commands, because none of them has a plaintext password. */
const PASSWORDS = createHasher({ cost: 4, threads: 1 });
const KEYRING = createKeyring([Buffer.alloc(32, 1)]);
const databases: TestDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.close();
  await PASSWORDS.close();
});

async function createSide(kind: DatabaseKind): Promise<Side> {
  const database = await createTestDatabase(kind);
  databases.push(database);
  const { db } = database;
  await fill(db);
  return { database, db, runTogether: createRunTogether(db), userIds: new Map() };
}

/**
 * Runs a command; returns the response without the parts that differ between two databases.
 *
 * @param known The users of earlier rounds.
 */
async function run(
  { runTogether, userIds }: Side,
  command: Command,
  known: UserIds,
  throwIfOver = () => {},
): Promise<string> {
  const { orgId, at } = command;
  const call = { runTogether, orgId, instanceId: INSTANCE, userId: ORGS[0], keyring: KEYRING, passwords: PASSWORDS };
  const operations = createOperations({ ...call, clock: () => at, sendsSms: true });
  try {
    if (command.kind === "import") {
      const { userId, details, passkeyLink } = await operations.importHuman(command.fields, {
        throwIfOver,
      });
      userIds.set(`${orgId} ${command.fields.userName.toLowerCase()}`, userId);
      return describeResponse(details, passkeyLink !== undefined);
    }
    const userId = known.get(command.user) ?? command.user;
    return describeResponse(await operations.setPhone(userId, command.phone, command.isVerified, { throwIfOver }));
  } catch (error) {
    if (error instanceof SignetError)
      // The message of IDP_LINK_TAKEN names all links that are taken once the command has failed.
      return SHORT.has(error.reason) ? error.reason : `${error.reason} ${error.message}`;
    return (error as Error).message;
  }
}

/** Disconnects the caller after some event loop iterations; never if not given. */
function leaveAfter(turns: number | undefined): () => void {
  let isOver = false;
  const leave = async () => {
    for (let turn = 0; turn < (turns ?? 0); turn++) await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
  };
  if (turns !== undefined) void leave();
  return () => {
    if (isOver) throw new Error("the call is over");
  };
}

const SHORT: ReadonlySet<string> = new Set(["ABORTED", "IDP_LINK_TAKEN"]);

interface Mix {
  readonly seed: number;
  readonly rounds: number;
  readonly most: number;
}

/** Runs the same generated commands together on one side and one by one on the other, and compares everything. */
async function compare(together: Side, single: Side, { seed, rounds, most }: Mix) {
  const random = createRandom(seed);
  const generate = createCommandGenerator(random);
  const counts: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    const commands = Array.from({ length: random.between(1, most) }, generate);
    const known = { together: new Map(together.userIds), single: new Map(single.userIds) };
    const responses = await Promise.all(
      commands.map((command) => run(together, command, known.together, leaveAfter(command.leavesAfter))),
    );
    for (const [index, command] of commands.entries()) {
      const response = responses[index] ?? "";
      const kind = response.split(" ")[0] ?? "";
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (NOT_RUN.has(response)) continue;
      expect([round, command, response]).toEqual([round, command, await run(single, command, known.single)]);
    }
  }
  expect(await readEverything(together.db)).toEqual(await readEverything(single.db));
  return counts;
}

async function fill(db: Database): Promise<void> {
  const at = new Date(0);
  await sql`insert into instance (id, sequence, created_at, changed_at) values (${INSTANCE}, 1, ${at}, ${at})`.execute(
    db,
  );
  await registerKeys(db, KEYRING, at);
  for (const id of ORGS) {
    await sql`insert into orgs (id, name, name_key, sequence, created_at, changed_at)
      values (${id}, ${id}, ${id}, 1, ${at}, ${at})`.execute(db);
  }
  for (const { id, ownerId } of IDPS) {
    await sql`insert into idps (owner_id, id, name, styling_type, client_id, client_secret, client_secret_key, issuer,
        scopes, display_name_mapping, username_mapping, auto_register, sequence, created_at, changed_at)
      values (${ownerId}, ${id}, 'idp', 0, 'c', '', ${KEYRING.currentKeyId}, 'https://idp.example.com', '{}', 0, 0, false, 1, ${at},
        ${at})`.execute(db);
  }
}

describe("commands that share a statement have the same results as one by one", () => {
  test("on postgres", async () => {
    const [together, single] = [await createSide("postgres"), await createSide("postgres")];
    const counts = await compare(together, single, { seed: 1, rounds: 20, most: 160 });
    for (const kind of [
      "ok",
      "USER_NAME_TAKEN",
      "IDP_LINK_TAKEN",
      "SUBJECT_TAKEN",
      "IDP_NOT_FOUND",
      "USER_NOT_FOUND",
      "the",
    ]) {
      expect(counts[kind]).toBeGreaterThan(10);
    }
    expect(counts.ok).toBeGreaterThan(500);
    expect(counts.ABORTED).toBeUndefined();
  });

  test("on postgres where concurrent statements fail with 40001", async () => {
    const [together, single] = [await createSide("postgres"), await createSide("postgres")];
    await sql`do $$ begin
      execute format('alter database %I set default_transaction_isolation to serializable', current_database());
    end $$`.execute(together.db);
    // Earlier connections keep the default.
    const db = connect(together.database.address, 16, () => {});
    const counts = await compare({ ...together, db, runTogether: createRunTogether(db) }, single, {
      seed: 2,
      rounds: 10,
      most: 120,
    });
    await db.destroy();
    expect(counts.ok).toBeGreaterThan(200);
  });

  test("on embedded", async () => {
    const [together, single] = [await createSide("embedded"), await createSide("embedded")];
    const counts = await compare(together, single, { seed: 3, rounds: 4, most: 100 });
    expect(counts.ok).toBeGreaterThan(50);
  });
});
