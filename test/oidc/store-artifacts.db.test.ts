import { type RawBuilder, sql } from "kysely";
import { createId } from "../../src/crypto/secrets.ts";
import { createRunTogether, type RunTogether } from "../../src/database/run-together.ts";
import { createAdapter } from "../../src/oidc/adapter.ts";
import { storeArtifact } from "../../src/oidc/store-artifact.ts";
import { createGrantId } from "../../src/oidc/stored-artifacts.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";
import { untilBlocked } from "../support/databases/locks.ts";

const now = new Date();
const expiresAt = new Date(now.getTime() + 60_000);

let database: TestDatabase;
let runTogether: RunTogether;
let statements = 0;

beforeAll(async () => {
  database = await createTestDatabase("postgres", 8);
  runTogether = createRunTogether({
    enter: async (...args) => {
      statements += 1;
      return await database.db.enter(...args);
    },
  });
});
afterAll(() => database.close());
beforeEach(() => {
  statements = 0;
});

function store(kind: string, id: string, payload = {}): Promise<boolean> {
  return storeArtifact(runTogether, { kind, id, payload, expiresAt, now });
}

function adapterOf(kind: string) {
  return createAdapter({ db: database.db, runTogether, clock: () => now, nextToken: (token) => token }, kind);
}

/** The outcomes of calls that were made at once: two statements are sent immediately, and the other calls wait. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<unknown[]> {
  return (await Promise.allSettled(calls)).map((each) => (each.status === "fulfilled" ? each.value : "rejected"));
}

test("artifacts that wait share a statement, and each is stored or not by what it depends on itself", async () => {
  const [session, ended] = [createId(), createId()];
  await store("Session", "session id", { uid: session });
  const grant = createGrantId(session);
  await store("Grant", grant, {});
  statements = 0;
  const stored = await outcomes([
    ...Array.from({ length: 20 }, (_, n) => store("Interaction", `interaction ${n}`)),
    store("Grant", createGrantId(session)),
    store("Grant", createGrantId(ended)),
    store("AccessToken", "token", { grantId: grant }),
    store("AccessToken", "token of an ended grant", { grantId: createGrantId(session) }),
    store("Session", "session that was deleted", { uid: ended, storedAs: "session that was deleted" }),
    store("ClientCredentials", "service token", { clientId: createId(), extra: { sub: createId() } }),
  ]);
  expect(stored.slice(0, 20)).toEqual(Array(20).fill(true));
  expect(stored.slice(20)).toEqual([true, false, true, false, false, false]);
  expect(statements).toBeLessThan(10);
  expect(await adapterOf("AccessToken").find("token of an ended grant")).toBeUndefined();
});

/** Runs calls while a transaction has locked what `lock` says, and then commits it. */
async function whileLocked(lock: RawBuilder<unknown>, run: () => Promise<void>): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    await lock.execute(transaction);
    await run();
  });
}

test("what waits for the end of a user's sessions delays nothing else", async () => {
  const session = createId();
  await store("Session", "locked session", { uid: session });
  let isWaiting = true;
  let waiting: Promise<boolean> | undefined;
  await whileLocked(sql`select from oidc_artifacts where session_uid = ${session} for update`, async () => {
    waiting = store("Grant", createGrantId(session)).finally(() => {
      isWaiting = false;
    });
    const others = Array.from({ length: 10 }, (_, n) => store("Interaction", `beside ${n}`));
    const stored = await outcomes([...others, store("Grant", createGrantId(createId()))]);
    expect(stored).toEqual([...Array(10).fill(true), false]);
    expect(isWaiting).toBe(true);
  });
  expect(await waiting).toBe(true);
});

test("what is locked is used or replaced once the lock is gone", async () => {
  const grant = createGrantId(createId());
  await store("Session", "session of the grant", { uid: grant.split(".")[0] });
  await store("Grant", grant);
  await store("AuthorizationCode", "locked code");
  let calls: Promise<unknown[]> | undefined;
  await whileLocked(sql`delete from oidc_artifacts where kind = 'Grant'`, async () => {
    await whileLocked(sql`select from oidc_artifacts where kind = 'AuthorizationCode' for update`, async () => {
      const { consume } = adapterOf("AuthorizationCode");
      calls = outcomes([consume("locked code"), consume("locked code"), store("Grant", grant)]);
      await untilBlocked(database.db, 2);
    });
  });
  expect(await calls).toEqual([undefined, "rejected", true]);
});

test("of equal proofs that arrive at once, one counts", async () => {
  const stored = await outcomes(Array.from({ length: 10 }, () => store("ReplayDetection", "proof")));
  expect(stored.filter(Boolean)).toHaveLength(1);
});

test("of requests that use the same code at once, one succeeds, and others are used meanwhile", async () => {
  const codes = Array.from({ length: 10 }, (_, n) => `code ${n}`);
  await Promise.all(codes.map((code) => store("AuthorizationCode", code)));
  const { consume } = adapterOf("AuthorizationCode");
  const used = await outcomes([...codes, ...codes].map((code) => consume(code)));
  expect(used).toEqual([...Array(10).fill(undefined), ...Array(10).fill("rejected")]);
});

test("of requests that finish the same sign-in at once, one succeeds", async () => {
  await store("Interaction", "finished");
  const { destroy } = adapterOf("Interaction");
  const finished = await outcomes(Array.from({ length: 5 }, () => destroy("finished")));
  expect(finished).toEqual([undefined, ...Array(4).fill("rejected")]);
});
