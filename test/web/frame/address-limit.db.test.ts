import type { Database } from "../../../src/database/database.ts";
import { LIMITS, periodMsOf } from "../../../src/limits.ts";
import { createAddressLimit } from "../../../src/web/frame/address-limit.ts";
import { createTestDatabase, type TestDatabase, watchQueries } from "../../support/databases/database.ts";

const WAITING = { throwIfOver() {} };
const GONE = {
  throwIfOver() {
    throw new Error("gone");
  },
};

describe("the limit of an address", () => {
  let database: TestDatabase;
  let db: Database;
  let queries = 0;
  let aheadMs = 0;
  const clock = () => new Date(Date.now() + aheadMs);
  beforeAll(async () => {
    database = await createTestDatabase("postgres");
    db = watchQueries(database.db, () => {
      queries++;
    });
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    await database.db.deleteFrom("rate_limits").execute();
    queries = 0;
    aheadMs = 0;
  });

  const createLimit = () => createAddressLimit({ db, clock });
  type Limit = ReturnType<typeof createLimit>;

  async function fail(limit: Limit, address: string, times: number): Promise<(number | undefined)[]> {
    const results = [];
    for (let failure = 0; failure < times; failure++) results.push(await limit.countFailure(address, WAITING));
    return results;
  }

  test("blocks an address after its last permitted failure, until the window ends", async () => {
    const limit = createLimit();
    expect(await fail(limit, "192.0.2.1", LIMITS.wrongCodes.most - 1)).toEqual(
      Array(LIMITS.wrongCodes.most - 1).fill(undefined),
    );
    expect(limit.secondsBlocked("192.0.2.1")).toBeUndefined();
    expect(await fail(limit, "192.0.2.1", 1)).toEqual([undefined]);
    expect(limit.secondsBlocked("192.0.2.1")).toBeGreaterThan(periodMsOf(LIMITS.wrongCodes) / 1_000 - 60);
    expect(limit.secondsBlocked("192.0.2.2")).toBeUndefined();
    aheadMs = periodMsOf(LIMITS.wrongCodes);
    expect(limit.secondsBlocked("192.0.2.1")).toBeUndefined();
  });

  test("runs one query for each counted failure, and none for anything else", async () => {
    const limit = createLimit();
    limit.secondsBlocked("192.0.2.1");
    expect(queries).toBe(0);
    await fail(limit, "192.0.2.1", LIMITS.wrongCodes.most);
    expect(queries).toBe(LIMITS.wrongCodes.most);
    for (const seconds of await fail(limit, "192.0.2.1", 5)) expect(seconds).toBeGreaterThan(0);
    limit.secondsBlocked("192.0.2.1");
    expect(queries).toBe(LIMITS.wrongCodes.most);
  });

  test("runs no more queries than permitted for failures at the same time", async () => {
    const limit = createLimit();
    const results = await Promise.all(Array.from({ length: 200 }, () => limit.countFailure("192.0.2.1", WAITING)));
    expect(results.filter((seconds) => seconds === undefined)).toHaveLength(LIMITS.wrongCodes.most);
    expect(queries).toBe(LIMITS.wrongCodes.most);
  });

  test("counts the failure of a disconnected client in memory only", async () => {
    const limit = createLimit();
    for (let failure = 1; failure <= LIMITS.wrongCodes.most; failure++) {
      await expect(limit.countFailure("192.0.2.1", GONE)).rejects.toThrow("gone");
    }
    expect(queries).toBe(0);
    expect(limit.secondsBlocked("192.0.2.1")).toBeGreaterThan(0);
    expect(createLimit().secondsBlocked("192.0.2.1")).toBeUndefined();
  });

  test("processes share the count, and each reads it with the next failure that it counts", async () => {
    const [one, other] = [createLimit(), createLimit()];
    await fail(one, "192.0.2.1", 10);
    await fail(other, "192.0.2.1", LIMITS.wrongCodes.most - 10);
    expect(other.secondsBlocked("192.0.2.1")).toBeGreaterThan(0);
    expect(one.secondsBlocked("192.0.2.1")).toBeUndefined();
    expect((await fail(one, "192.0.2.1", 1))[0]).toBeGreaterThan(0);
    expect(one.secondsBlocked("192.0.2.1")).toBeGreaterThan(0);
    // The count also survives a restart.
    expect((await fail(createLimit(), "192.0.2.1", 1))[0]).toBeGreaterThan(0);
  });

  test("forgets the oldest addresses beyond 10,000", async () => {
    const limit = createLimit();
    const failGone = (address: string) => limit.countFailure(address, GONE).catch(() => {});
    for (let failure = 1; failure <= LIMITS.wrongCodes.most; failure++) {
      await failGone("192.0.2.1");
      await failGone("192.0.2.2");
    }
    for (let index = 0; index < 9_998; index++) await failGone(`10.0.${index >> 8}.${index & 255}`);
    expect(limit.secondsBlocked("192.0.2.1")).toBeGreaterThan(0);
    await failGone("198.51.100.1");
    expect(limit.secondsBlocked("192.0.2.1")).toBeUndefined();
    expect(limit.secondsBlocked("192.0.2.2")).toBeGreaterThan(0);
  });

  test("an IPv6 /56 and a /48 may fail twice and four times as often as a single network", async () => {
    const limit = createLimit();
    const countPermitted = async (addresses: readonly string[]) => {
      let permitted = 0;
      for (const address of addresses) if ((await limit.countFailure(address, WAITING)) === undefined) permitted++;
      return permitted;
    };
    const ofSite = Array.from(
      { length: LIMITS.wrongCodes.most + 10 },
      (_, index) => `2001:db8:1:${(index + 2).toString(16)}::1`,
    );
    const ofRange = Array.from({ length: 100 }, (_, index) => `2001:db8:1:${(index + 2).toString(16)}00::1`);
    // A network that is blocked does not use up the failures of others.
    expect(await countPermitted(Array(LIMITS.wrongCodes.most + 10).fill("2001:db8:1:1::1"))).toBe(
      LIMITS.wrongCodes.most,
    );
    expect(limit.secondsBlocked("2001:db8:1:2::1")).toBeUndefined();
    expect(await countPermitted(ofSite)).toBe(LIMITS.wrongCodes.most);
    expect(limit.secondsBlocked("2001:db8:1:ff::1")).toBeGreaterThan(0);
    expect(limit.secondsBlocked("2001:db8:1:100::1")).toBeUndefined();
    expect(await countPermitted(ofRange)).toBe(2 * LIMITS.wrongCodes.most);
    expect(limit.secondsBlocked("2001:db8:1:ffff::1")).toBeGreaterThan(0);
    expect(limit.secondsBlocked("2001:db8:2::1")).toBeUndefined();
    expect(queries).toBe(4 * LIMITS.wrongCodes.most);
  });

  test("a failure of the database is reported as such, and counted in memory", async () => {
    const broken = await createTestDatabase("postgres");
    const limit = createAddressLimit({ db: broken.db, clock });
    await broken.close();
    for (let failure = 1; failure <= LIMITS.wrongCodes.most; failure++) {
      await expect(limit.countFailure("192.0.2.1", WAITING)).rejects.toMatchObject({ name: "SignetError" });
    }
    expect(limit.secondsBlocked("192.0.2.1")).toBeGreaterThan(0);
  });
});
