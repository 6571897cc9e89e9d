import { randomBytes } from "node:crypto";
import { createKeyring } from "../../src/crypto/keyring.ts";
import {
  ATTEMPT_LIMITS,
  type Attempt,
  type AttemptLimit,
  createAttemptLimit,
} from "../../src/sign-in/attempt-limit.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";

const MINUTE = 60_000;
const CALLER = { throwIfOver() {} };

describe("the limit of password attempts", () => {
  let database: TestDatabase;
  let limit: AttemptLimit;
  let now = Date.parse("2026-01-01T00:00:00Z");
  let names = 0;
  const keyring = createKeyring([randomBytes(32)]);

  beforeAll(async () => {
    database = await createTestDatabase("postgres");
    limit = createAttemptLimit({ db: database.db, keyring, clock: () => new Date(now) });
  });
  afterAll(() => database?.close());

  const newAttempt = (changes: Partial<Attempt> = {}): Attempt => ({
    orgId: "org",
    nameKey: `name-${++names}`,
    address: `192.0.2.${names}`,
    device: undefined,
    ...changes,
  });

  const admit = (attempt: Attempt) => limit.admit(attempt, CALLER);

  /** Fails as often as there is no delay. */
  async function useUp(attempt: Attempt, times: number): Promise<void> {
    for (let count = 1; count <= times; count++) expect(await admit(attempt)).toEqual({ ok: true, failures: count });
  }

  test("a user at one address waits twice as long after each failure beyond ten, up to 15 minutes", async () => {
    const attempt = newAttempt();
    await useUp(attempt, ATTEMPT_LIMITS.pair.free);
    const delays: number[] = [];
    for (let count = 0; count < 12; count++) {
      const refused = await admit(attempt);
      if (refused.ok) throw new Error("the attempt was admitted");
      delays.push(refused.retrySeconds);
      now += refused.retrySeconds * 1_000 - 1;
      expect(await admit(attempt)).toEqual({ ok: false, retrySeconds: 1 });
      now += 1;
      expect((await admit(attempt)).ok).toBe(true);
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  test("an attempt with an alias counts for both names, and a success forgives both", async () => {
    const attempt = newAttempt({ alias: "ada@example.com" });
    const asAlias = { ...attempt, nameKey: "ada@example.com", alias: undefined };
    await useUp(attempt, ATTEMPT_LIMITS.pair.free);
    for (const blocked of [attempt, { ...attempt, alias: undefined }, asAlias]) {
      expect(await admit(blocked)).toEqual({ ok: false, retrySeconds: 1 });
    }
    await limit.forgive(attempt);
    for (const forgiven of [attempt, asAlias]) expect((await admit(forgiven)).ok).toBe(true);
  });

  test("an attempt that is withdrawn does not count for the user, but for the network", async () => {
    const attempt = newAttempt({ alias: "grace@example.com" });
    for (let count = 0; count < ATTEMPT_LIMITS.address.free; count++) {
      expect(await admit(attempt)).toEqual({ ok: true, failures: 1 });
      await limit.withdraw(attempt);
    }
    expect(await admit(attempt)).toEqual({ ok: false, retrySeconds: 15 * 60 });
    const asAlias = { ...attempt, nameKey: "grace@example.com", alias: undefined, address: "198.51.100.1" };
    expect(await admit(asAlias)).toEqual({ ok: true, failures: 1 });
    const onDevice = { ...attempt, device: "device" };
    await useUp(onDevice, 2);
    await limit.withdraw(onDevice);
    expect(await admit(onDevice)).toEqual({ ok: true, failures: 2 });
  });

  test("an attempt is rejected if its alias has failed too often", async () => {
    const attempt = newAttempt();
    await useUp(attempt, ATTEMPT_LIMITS.pair.free);
    expect(await admit({ ...attempt, nameKey: "another name", alias: attempt.nameKey })).toEqual({
      ok: false,
      retrySeconds: 1,
    });
  });

  test("guesses from the networks of an IPv6 /48 count together, and one network does not lock out others", async () => {
    const [FREE, SITE, RANGE] = [ATTEMPT_LIMITS.address.free, ATTEMPT_LIMITS.site.free, ATTEMPT_LIMITS.range.free];
    const guess = async (address: string) => (await admit(newAttempt({ address }))).ok;
    const count = async (addresses: readonly string[]) => {
      let admitted = 0;
      for (const address of addresses) if (await guess(address)) admitted++;
      return admitted;
    };
    expect(await count(Array(FREE + 10).fill("2001:db8:1:1::1"))).toBe(FREE);
    // The same /56, and another one.
    expect(await guess("2001:db8:1:2::1")).toBe(true);
    expect(await count(Array.from({ length: SITE }, (_, index) => `2001:db8:1:${(index + 16).toString(16)}::1`))).toBe(
      SITE - FREE - 1,
    );
    expect(await guess("2001:db8:1:100::1")).toBe(true);
    const everywhere = Array.from({ length: RANGE }, (_, index) => `2001:db8:1:${(index + 2).toString(16)}00::1`);
    expect(await count(everywhere)).toBe(RANGE - SITE - 1);
    // Another /48, and a known device.
    expect(await guess("2001:db8:2:1::1")).toBe(true);
    expect((await admit(newAttempt({ address: "2001:db8:1:1::1", device: "known" }))).ok).toBe(true);
    now += 15 * MINUTE;
    expect(await guess("2001:db8:1:1::1")).toBe(true);
  });

  test("guesses from ten addresses are slowed down together", async () => {
    const { nameKey } = newAttempt();
    const addresses = Array.from({ length: 10 }, (_, index) => `198.51.100.${index}`);
    let admitted = 0;
    const start = now;
    while (now < start + 60 * MINUTE) {
      for (const address of addresses) if ((await admit(newAttempt({ nameKey, address }))).ok) admitted++;
      now += 10_000;
    }
    expect(admitted).toBeGreaterThan(ATTEMPT_LIMITS.account.free);
    expect(admitted).toBeLessThan(40);
  });

  test("a known device is not slowed down by others, but has a separate limit", async () => {
    const { nameKey } = newAttempt();
    for (let count = 0; count < 30; count++) await admit(newAttempt({ nameKey, address: `203.0.113.${count}` }));
    expect((await admit(newAttempt({ nameKey }))).ok).toBe(false);
    const attempt = newAttempt({ nameKey, device: "known" });
    await useUp(attempt, ATTEMPT_LIMITS.device.free);
    expect(await admit(attempt)).toEqual({ ok: false, retrySeconds: 1 });
  });

  test("an address is blocked for 15 minutes after 50 failures for any users, and adds no more rows", async () => {
    const { address } = newAttempt();
    const guesses = Array.from({ length: ATTEMPT_LIMITS.address.free }, () => newAttempt({ address }));
    for (const guess of guesses) expect(await admit(guess)).toEqual({ ok: true, failures: 1 });
    const before = await countRows();
    now += 5 * MINUTE;
    expect(await admit(newAttempt({ address }))).toEqual({ ok: false, retrySeconds: 10 * 60 });
    expect(await countRows()).toBe(before);
    expect((await admit(newAttempt())).ok).toBe(true);
    now += 10 * MINUTE;
    expect((await admit(newAttempt({ address }))).ok).toBe(true);
  });

  test("concurrent attempts cannot exceed a limit", async () => {
    const attempt = newAttempt();
    const admissions = await Promise.all(Array.from({ length: 40 }, () => admit(attempt)));
    expect(admissions.filter(({ ok }) => ok)).toHaveLength(ATTEMPT_LIMITS.pair.free);
  });

  test("a correct password resets the failures of the user at that address, and no others", async () => {
    const [here, there] = [newAttempt(), newAttempt({ address: "198.51.100.77" })];
    await useUp(here, 9);
    const elsewhere = { ...there, nameKey: here.nameKey };
    for (let count = 0; count < 9; count++) await admit(elsewhere);
    await limit.forgive(here);
    expect(await admit(here)).toEqual({ ok: true, failures: 10 });
    await limit.forgive(here);
    await useUp({ ...here, nameKey: "another" }, 10);
  });

  test("sign-ins and failures of one user at the same time do not deadlock", async () => {
    const attempt = newAttempt();
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const other = { ...attempt, address: `203.0.113.${index % 3}` };
        await admit(other);
        await limit.forgive(other);
      }),
    );
    expect(await admit(attempt)).toEqual({ ok: true, failures: 1 });
  });

  test("failures are forgotten after a day without attempts", async () => {
    const attempt = newAttempt();
    await useUp(attempt, ATTEMPT_LIMITS.pair.free);
    now += 24 * 60 * MINUTE;
    await useUp(attempt, ATTEMPT_LIMITS.pair.free);
  });

  test("the table contains neither names nor addresses", async () => {
    const rows = await database.db.selectFrom("rate_limits").select("key").execute();
    for (const { key } of rows) expect(key).toMatch(/^password:[\w-]{43}$/);
  });

  async function countRows(): Promise<number> {
    return (await database.db.selectFrom("rate_limits").select("key").execute()).length;
  }
});
