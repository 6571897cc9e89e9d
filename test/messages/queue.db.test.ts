import { afterEach, describe, expect, test } from "@jest/globals";
import { sql } from "kysely";
import { createQueue } from "../../src/messages/queue.ts";
import { DATABASE_KINDS } from "../support/database.ts";
import { startService, type TestService } from "../support/service.ts";
import { changePhone, importUser, nowOf, readMessage } from "./queued.ts";

const MINUTE_MS = 60_000;

describe.each(DATABASE_KINDS)("the queue on %s", (kind) => {
  let service: TestService;
  afterEach(() => service.close());

  test("renewing a claim does not change when a message is due whose attempt has failed meanwhile", async () => {
    service = await startService(kind);
    await importUser(service, "ada");
    const queue = createQueue(service.db);
    const now = new Date();
    const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
    const claimed = await queue.claim({ channel: "email", limit: 5, held: [], now: inMinutes(1), until: inMinutes(2) });
    expect(claimed).toHaveLength(1);
    await queue.renew(claimed, inMinutes(3));
    expect((await readMessage(service)).next_attempt_at).toEqual(inMinutes(3));
    for (const message of claimed) await queue.retryLater(message, "the server is down", inMinutes(15));
    await queue.renew(claimed, inMinutes(4));
    expect((await readMessage(service)).next_attempt_at).toEqual(inMinutes(15));
  });

  test("a message is due at once though a clock that was ahead has dated the user's last change later", async () => {
    service = await startService(kind, { SMS_PROVIDER: "file" });
    const email = { email: "ada@example.com", isEmailVerified: true };
    const userId = await importUser(service, "ada", { email, password: "correct horse battery" });
    await sql`update users set changed_at = changed_at + interval '1 day' where id = ${userId}`.execute(service.db);
    await changePhone(service, userId, "+41791234567");
    const { next_attempt_at, created_at } = await readMessage(service);
    expect(created_at.getTime()).toBeGreaterThan(nowOf(service));
    expect(next_attempt_at?.getTime()).toBeLessThanOrEqual(nowOf(service));
  });
});
