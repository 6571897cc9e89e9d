import { PURGE_BATCH } from "../../src/database/purge.ts";
import { ENDED_ATTEMPTS } from "../../src/sign-in/ended-attempts.ts";
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "../support/databases/database.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const at = (ms: number) => BigInt(NOW.getTime() + ms);

describe.each(DATABASE_KINDS)("counters of attempts on %s", (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(() => database?.close());

  test("are deleted in batches once they have expired, and not before", async () => {
    const expired = Array.from({ length: PURGE_BATCH + 1 }, (_, index) => ({
      key: `expired ${index}`,
      expire: at(-1),
    }));
    const others = [
      { key: "current", expire: at(1) },
      { key: "permanent", expire: null },
    ];
    await database.db
      .insertInto("rate_limits")
      .values([...expired, ...others])
      .execute();
    const deleteBatch = () => ENDED_ATTEMPTS.deleteBatch(database.db, NOW);
    expect([await deleteBatch(), await deleteBatch(), await deleteBatch()]).toEqual([PURGE_BATCH, 1, 0]);
    const left = await database.db.selectFrom("rate_limits").select("key").orderBy("key").execute();
    expect(left.map(({ key }) => key)).toEqual(["current", "permanent"]);
  });
});
