import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome, type Rpc } from "../../support/clients/callers.ts";
import { BCRYPT, HUMAN } from "../../support/clients/requests.ts";
import { DATABASE_KINDS } from "../../support/databases/database.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const MINUTE_MS = 60_000;

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService(kind, { SMS_PROVIDER: "file" });
    service.stopClock();
    service.secret(BCRYPT);
    caller = createCaller("grpc", service, service.adminToken);
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  let count = 0;
  async function newUser(fields: object = {}): Promise<string> {
    const outcome = await caller.call("ImportHumanUser", { userName: `ada-${++count}`, ...HUMAN, ...fields });
    if (!outcome.ok) throw new Error(outcome.message);
    return String(outcome.message.userId);
  }

  const eventsOf = (userId: string) =>
    service.db
      .selectFrom("events")
      .select(["sequence", "type", "payload", "created_at"])
      .where("aggregate_id", "=", userId)
      .orderBy("sequence")
      .execute();

  test("fifty different concurrent changes of one user get sequences without gaps", async () => {
    const userId = await newUser({ phone: { phone: "+41791234567" } });
    const changes = Array.from({ length: 50 }, (_, number): [Rpc, JsonObject] => {
      const kinds: [Rpc, JsonObject][] = [
        ["UpdateHumanProfile", { userId, firstName: `Ada ${number}`, lastName: "Lovelace" }],
        ["UpdateHumanEmail", { userId, email: `ada-${number}@example.com` }],
        ["UpdateHumanPhone", { userId, phone: `+417912345${10 + number}` }],
        ["LockUser", { id: userId }],
        ["UnlockUser", { id: userId }],
        ["DeactivateUser", { id: userId }],
        ["ReactivateUser", { id: userId }],
        ["RemoveHumanPhone", { userId }],
      ];
      return kinds[number % kinds.length] ?? ["LockUser", { id: userId }];
    });
    // The changes run one after another, so on a slow machine some wait too long, and write nothing.
    const makeChange = async (rpc: Rpc, request: JsonObject): Promise<Outcome> => {
      const outcome = await caller.call(rpc, request);
      return reasonOf(outcome) === "UNAVAILABLE" ? makeChange(rpc, request) : outcome;
    };
    const outcomes = await Promise.all(changes.map(([rpc, request]) => makeChange(rpc, request)));

    const events = await eventsOf(userId);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => BigInt(index + 1)));
    const times = events.map(({ created_at }) => created_at.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const user = await service.db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
    expect(user.sequence).toBe(BigInt(events.length));
    // Each success returned the sequence of an event of its own kind; calls fail only because of a wrong state.
    const expected: Partial<Record<Rpc, RegExp>> = {
      UpdateHumanProfile: /^user\.human\.profile\.changed$/,
      UpdateHumanEmail: /^user\.human\.email\.verification\.requested$/,
      UpdateHumanPhone: /^user\.human\.phone\.verification\.requested$/,
      LockUser: /^user\.locked$/,
      UnlockUser: /^user\.unlocked$/,
      DeactivateUser: /^user\.deactivated$/,
      ReactivateUser: /^user\.reactivated$/,
    };
    const sequences: string[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const [rpc] = changes[index] ?? [];
      if (!outcome.ok) {
        expect([rpc, outcome.reason]).toEqual([rpc, "USER_STATE"]);
        continue;
      }
      const pattern = rpc && expected[rpc];
      const { sequence } = outcome.message.details as { sequence: string };
      if (pattern === undefined) continue;
      expect(events[Number(sequence) - 1]?.type).toMatch(pattern);
      sequences.push(sequence);
    }
    expect(new Set(sequences).size).toBe(sequences.length);
    expect(sequences.length).toBeGreaterThanOrEqual(18);
    // The row matches the last events.
    const last = (type: string) => events.findLast((event) => event.type === type)?.payload;
    expect(last("user.human.email.changed")).toEqual({ email: user.email });
    expect(last("user.human.profile.changed")).toMatchObject({ firstName: user.first_name });
  });

  test.each([
    ["ResendHumanPhoneVerification", { phone: { phone: "+41791234567" } }, "phone"],
    ["ResendHumanInitialization", { email: { email: "ada@example.com" } }, "initialization"],
  ] as const)("of many calls of %s at once one sends a message, and five a day do", async (rpc, fields, codeKind) => {
    const userId = await newUser(fields);
    const send = () => caller.call(rpc, { userId });
    const codes = () => service.db.selectFrom("codes").select("id").where("user_id", "=", userId).execute();
    const early = await send();
    expect(early).toMatchObject({ ok: false, code: 8, reason: "TOO_MANY_MESSAGES" });
    service.clockOffsetMs += MINUTE_MS;
    const outcomes = await Promise.all(Array.from({ length: 8 }, send));
    expect(outcomes.map(reasonOf).sort()).toEqual([...Array(7).fill("TOO_MANY_MESSAGES"), undefined]);
    expect(await codes()).toHaveLength(2);
    for (let sent = 3; sent <= 5; sent++) {
      service.clockOffsetMs += MINUTE_MS;
      expect(await send()).toMatchObject({ ok: true });
    }
    service.clockOffsetMs += MINUTE_MS;
    expect(await send()).toMatchObject({ reason: "TOO_MANY_MESSAGES" });
    service.clockOffsetMs += 24 * 60 * MINUTE_MS;
    expect(await send()).toMatchObject({ ok: true });
    // The latest code is the one of the last message.
    const latest = await service.db
      .selectFrom("codes")
      .select("sequence")
      .where("user_id", "=", userId)
      .where("kind", "=", codeKind)
      .orderBy("sequence", "desc")
      .executeTakeFirstOrThrow();
    expect(latest.sequence).toBe(BigInt((await eventsOf(userId)).length));
  });

  test("a resend returns the time of the next possible one", async () => {
    const userId = await newUser({ phone: { phone: "+41791234567" } });
    const response = await fetch(`${service.origin}/management/v1/users/${userId}/phone/_resend_verification`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.adminToken}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(30);
    expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  });
});

function reasonOf(outcome: Outcome): string | undefined {
  return outcome.ok ? undefined : outcome.reason;
}
