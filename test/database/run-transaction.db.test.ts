import type { Database } from "../../src/database/database.ts";
import { runTransaction } from "../../src/database/run-transaction.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";
import { until } from "../support/until.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase("postgres");
});
beforeEach(async () => {
  await database.db.deleteFrom("rate_limits").execute();
  await database.db
    .insertInto("rate_limits")
    .values([{ key: "a" }, { key: "b" }])
    .execute();
});
afterAll(async () => {
  await database?.close();
});

const CALLER = { throwIfOver() {} };
const pointsOf = async () =>
  (await database.db.selectFrom("rate_limits").selectAll().orderBy("key").execute()).map(({ points }) => points);

async function addPoint(db: Database, key: string): Promise<void> {
  await db
    .updateTable("rate_limits")
    .set(({ eb }) => ({ points: eb("points", "+", 1) }))
    .where("key", "=", key)
    .execute();
}

test("of two transactions in a deadlock, both are carried out once", async () => {
  let [attempts, holding, completed] = [0, 0, 0];
  const run = async (first: string, second: string) => {
    await runTransaction(database.db, CALLER, async (db) => {
      attempts += 1;
      // The third attempt could cause the same deadlock again.
      if (attempts === 3) await until("the other transaction is completed", () => completed === 1);
      await addPoint(db, first);
      holding += 1;
      await until("both transactions hold a lock", () => holding >= 2);
      await addPoint(db, second);
    });
    completed += 1;
  };
  await Promise.all([run("a", "b"), run("b", "a")]);
  expect(attempts).toBe(3);
  expect(await pointsOf()).toEqual([2, 2]);
});

test("an error rolls everything back, also in a transaction within the transaction", async () => {
  const error = new Error("refused");
  const running = runTransaction(database.db, CALLER, async (db) => {
    await addPoint(db, "a");
    await runTransaction(db, CALLER, (inner) => addPoint(inner, "b"));
    throw error;
  });
  await expect(running).rejects.toMatchObject({ reason: "INTERNAL", cause: error });
  expect(await pointsOf()).toEqual([0, 0]);
});

test("the error of a database has no text that quotes rows", async () => {
  const running = runTransaction(database.db, CALLER, async (db) => {
    await db.insertInto("rate_limits").values({ key: "a" }).execute();
  });
  const error: Error = await running.catch((failure) => failure);
  expect((error.cause as Error).message).toBe("SQLSTATE 23505, constraint rate_limits_pkey, table rate_limits");
});

test("a caller who has disconnected while it waits for a connection starts no transaction", async () => {
  const over = new Error("over");
  let hasRun = false;
  const throwIfOver = () => {
    throw over;
  };
  const running = runTransaction(database.db, { throwIfOver }, async () => {
    hasRun = true;
  });
  await expect(running).rejects.toBe(over);
  expect(hasRun).toBe(false);
});
