import { countOutbox } from "../../src/messages/count-outbox.ts";
import { importAda } from "../support/browsers/visitor.ts";
import { startService, type TestService } from "../support/servers/service.ts";

describe("messages that are not sent yet", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService("postgres");
  });
  afterAll(() => service.close());

  const counted = async (now: Date) => (await countOutbox(service.db, now)).filter(({ messages }) => messages > 0);

  test("are counted by channel and state, with the age of the oldest", async () => {
    const none = await countOutbox(service.db, new Date());
    expect(none).toHaveLength(6);
    expect(none.every(({ messages, oldestSeconds }) => messages === 0 && oldestSeconds === 0)).toBe(true);

    const queuedAt = new Date("2026-01-01T00:00:00Z");
    for (let count = 0; count < 4; count += 1) await importAda(service);
    const messages = await service.db.updateTable("messages").set({ created_at: queuedAt }).returning("id").execute();
    const set = (index: number, values: object) =>
      service.db
        .updateTable("messages")
        .set(values)
        .where("id", "=", messages[index]?.id ?? "")
        .execute();
    const now = new Date("2026-01-01T00:01:30Z");
    const later = new Date("2026-01-01T00:02:00Z");
    await set(0, { attempts: 1, next_attempt_at: later });
    await set(1, { attempts: 1, next_attempt_at: later, last_error: "451 later" });
    await set(2, { state: "sent", next_attempt_at: null, ended_at: now, content: null, content_key: null });
    await set(3, { created_at: new Date("2026-01-01T00:01:20Z") });
    expect(await counted(now)).toEqual([
      { channel: "email", state: "waiting", messages: 1, oldestSeconds: 10 },
      { channel: "email", state: "sending", messages: 1, oldestSeconds: 90 },
      { channel: "email", state: "retrying", messages: 1, oldestSeconds: 90 },
    ]);
  });
});
