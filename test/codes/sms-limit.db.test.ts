import { countSms, uncountSms } from "../../src/codes/sms-limit.ts";
import { LIMITS } from "../../src/limits.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Does not divide the limit, so that some of the last ones are refused. */
const CONCURRENT = 16;

describe("the SMS that users request", () => {
  let database: TestDatabase;
  let now = Date.parse("2026-01-01T00:00:00Z");
  let numbers = 0;
  beforeAll(async () => {
    database = await createTestDatabase("postgres");
  });
  afterAll(() => database?.close());

  const newRecipient = (orgId: string) => ({ orgId, phone: `+4179${String(++numbers).padStart(7, "0")}` });
  type Recipient = ReturnType<typeof newRecipient>;
  const parts = () => ({ db: database.db, clock: () => new Date(now) });
  const count = (recipient: Recipient) => countSms(parts(), recipient);

  test("to one number are limited in 24 hours, in each organization", async () => {
    const recipient = newRecipient("limited");
    const limits = await Promise.all(Array.from({ length: LIMITS.requestedMessages.most + 3 }, () => count(recipient)));
    expect(limits.filter((limit) => limit === undefined)).toHaveLength(LIMITS.requestedMessages.most);
    now += DAY - 1;
    expect(await count(recipient)).toEqual({ of: "recipient", retryAfterMs: DAY });
    expect(await count({ ...recipient, orgId: "other" })).toBeUndefined();
    expect(await count(newRecipient("limited"))).toBeUndefined();
    await uncountSms(parts(), recipient);
    expect(await count(recipient)).toBeUndefined();
    expect(await count(recipient)).toMatchObject({ of: "recipient" });
    now += 1;
    expect(await count(recipient)).toBeUndefined();
  });

  test("in one organization are limited in an hour, and one that is not sent counts for no number", async () => {
    now = Math.ceil(now / HOUR) * HOUR;
    let sent = 0;
    for (let asked = 0; asked < LIMITS.requestedSms.most + CONCURRENT; asked += CONCURRENT) {
      const limits = await Promise.all(Array.from({ length: CONCURRENT }, () => count(newRecipient("crowded"))));
      sent += limits.filter((limit) => limit === undefined).length;
    }
    expect(sent).toBe(LIMITS.requestedSms.most);
    now += 40 * MINUTE;
    const recipient = newRecipient("crowded");
    for (let times = 0; times <= LIMITS.requestedMessages.most; times++) {
      expect(await count(recipient)).toEqual({ of: "organization", retryAfterMs: 20 * MINUTE });
    }
    expect(await count(newRecipient("calm"))).toBeUndefined();
    await uncountSms(parts(), newRecipient("crowded"));
    expect([await count(recipient), await count(newRecipient("crowded"))]).toMatchObject([
      undefined,
      { of: "organization" },
    ]);
    now += 20 * MINUTE;
    expect(await count(recipient)).toBeUndefined();
  });
});
