import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { ImportHumanUserRequestSchema, UpdateHumanPhoneRequestSchema } from "../../gen/signet/v1/management_pb.js";
import type { QueryCaller } from "../../src/call.ts";
import { createId } from "../../src/crypto/secrets.ts";
import { type Database, type Query, toDatabase } from "../../src/database/database.ts";
import { createRunTogether } from "../../src/database/run-together.ts";
import { createSerializePerKey } from "../../src/database/serialize-per-key.ts";
import { SignetError } from "../../src/errors.ts";
import type { ObjectDetails } from "../../src/events/object-details.ts";
import { createOutbox } from "../../src/messages/outbox.ts";
import { createHasher } from "../../src/passwords/hasher.ts";
import { findSignInUser } from "../../src/sign-in/find-sign-in-user.ts";
import { changePassword } from "../../src/sign-in/password/change-password.ts";
import { checkUpdateHumanPhone, updateHumanPhone } from "../../src/users/change/update-human-phone.ts";
import { setHumanPassword } from "../../src/users/credentials/set-human-password.ts";
import { checkImportHumanUser } from "../../src/users/import/check-import-human-user.ts";
import { importHumanUser } from "../../src/users/import/import-human-user.ts";
import type { IdpRpc } from "../idps/oidc-idp.cases.ts";
import { createCaller } from "../support/clients/callers.ts";
import { CLIENT_SECRET, HUMAN, IDP } from "../support/clients/requests.ts";
import { DATABASE_KINDS } from "../support/databases/database.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";
import { readStoredEffects } from "../support/operations/stored-effects.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const A = "+41791234567";
const B = "+41791234568";

let count = 0;
const newName = () => `ada-${++count}`;

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  // The embedded database runs one statement after another.
  const rounds = kind === "postgres" ? 50 : 10;
  let service: TestService;
  let operations: ReturnType<typeof createOperations>;
  beforeAll(async () => {
    service = await startService(kind);
    operations = createOperations(service);
  });
  afterAll(async () => {
    await operations.close();
    await service.close();
  });

  test("one of twenty concurrent imports of one user name succeeds", async () => {
    const spellings = ["Ada", "ADA", " ada ", "aDa"];
    const attempts = Array.from({ length: 20 }, (_, number) =>
      operations.importHuman({ userName: spellings[number % spellings.length] ?? "" }),
    );
    const reasons = await reasonsOf(attempts);
    expect(reasons.sort()).toEqual([...Array(19).fill("USER_NAME_TAKEN"), undefined]);
    const stored = service.db.selectFrom("users").select("id").where("user_name_key", "=", "ada");
    expect(await stored.execute()).toHaveLength(1);
    const added = service.db
      .selectFrom("events")
      .select("sequence")
      .where("type", "=", "user.human.added")
      .where(sql`payload ->> 'userName'`, "ilike", "ada");
    expect(await added.execute()).toHaveLength(1);
  });

  test("fifty concurrent phone changes of one user get fifty consecutive sequences", async () => {
    const { userId } = await operations.importHuman({ userName: newName() });
    // They run one after another, so on a slow machine some wait too long, and write nothing.
    const setPhone = async (phone: string): Promise<ObjectDetails> => {
      try {
        return await operations.setPhone(userId, phone);
      } catch (error) {
        if (error instanceof SignetError && error.reason === "UNAVAILABLE") return setPhone(phone);
        throw error;
      }
    };
    const changes = await Promise.all(Array.from({ length: 50 }, (_, number) => setPhone(`+417912345${10 + number}`)));
    const returned = changes.sort((one, other) => Number(one.sequence - other.sequence));
    expect(returned.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 50 }, (_, number) => BigInt(3 + number)),
    );

    const events = await eventsOf(service.db, userId);
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 52 }, (_, index) => BigInt(1 + index)));
    const dates = returned.map(({ changeDate }) => changeDate);
    expect(dates).toEqual(events.slice(2).map(({ created_at }) => created_at));
    expect(dates).toEqual([...dates].sort((one, other) => one.getTime() - other.getTime()));
    const phones = events.map(({ payload }) => (payload as { phone: string }).phone);
    expect(await userOf(service.db, userId)).toMatchObject({ sequence: 52n, phone: phones.at(-1) });
  });

  test("exactly one of two concurrent imports with the same two links in opposite order succeeds", async () => {
    const one = await addIdp(service, "AddOIDCIDP");
    const other = await addIdp(service, "AddOrgOIDCIDP");
    for (let round = 0; round < rounds; round++) {
      // In every second round, both links belong to one provider.
      const links = [
        { configId: one, externalUserId: `first-${round}` },
        { configId: round % 2 === 0 ? other : one, externalUserId: `second-${round}` },
      ];
      const reasons = await reasonsOf([
        operations.importHuman({ userName: newName(), idps: links }),
        operations.importHuman({ userName: newName(), idps: links.toReversed() }),
      ]);
      expect([round, ...reasons.sort()]).toEqual([round, "IDP_LINK_TAKEN", undefined]);
    }
    expect(operations.conflicts).toEqual([]);
    const rows = await service.db.selectFrom("user_idp_links").select("user_id").execute();
    expect(rows).toHaveLength(2 * rounds);
    expect(new Set(rows.map(({ user_id }) => user_id)).size).toBe(rounds);
  });

  test("a change without effect that races with one returns the details of an existing event", async () => {
    const { userId } = await operations.importHuman({
      userName: newName(),
      phone: { phone: A, isPhoneVerified: true },
    });
    for (let round = 0; round < rounds; round++) {
      const { sequence: before } = await userOf(service.db, userId);
      const responses = await Promise.all([
        operations.setPhone(userId, A, true),
        operations.setPhone(userId, B, true),
        operations.setPhone(userId, A, true),
        operations.setPhone(userId, A, true),
      ]);
      const events = await eventsOf(service.db, userId);
      for (const details of responses) {
        const event = events.find(({ sequence }) => sequence === details.sequence);
        expect(event).toMatchObject({ type: "user.human.phone.verified", created_at: details.changeDate });
        expect(details.sequence).toBeGreaterThanOrEqual(before);
      }
      // The change to B had an effect, so it returns the details of its own event.
      const [, changed] = responses;
      expect(events.find(({ sequence }) => sequence === changed?.sequence)?.payload).toEqual({ phone: B });
      await operations.setPhone(userId, A, true);
    }
    const events = await eventsOf(service.db, userId);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => BigInt(index + 1)));
  });
});

describe("on postgres, during another change", () => {
  let service: TestService;
  let operations: ReturnType<typeof createOperations>;
  beforeAll(async () => {
    service = await startService("postgres");
    operations = createOperations(service);
  });
  afterAll(async () => {
    await operations.close();
    await service.close();
  });

  test("two imports with the same links in opposite order neither deadlock nor both succeed", async () => {
    const idpId = await addIdp(service, "AddOrgOIDCIDP");
    const links = ["a", "m", "z"].map((externalUserId) => ({ configId: idpId, externalUserId }));
    // One process would run these imports one after another.
    const otherProcess = createOperations(service);
    // If the links were not written in the same order, one import would hold "a" and the other "z" when "m" is released.
    const settled = await during(
      service.db,
      "rollback",
      (transaction) =>
        transaction
          .insertInto("user_idp_links")
          .values({
            org_id: service.orgId,
            idp_id: idpId,
            external_user_id: "m",
            idp_owner_id: service.orgId,
            user_id: service.adminId,
            display_name: "",
            created_at: new Date(),
          })
          .execute(),
      [
        () => operations.importHuman({ userName: newName(), idps: links }),
        () => otherProcess.importHuman({ userName: newName(), idps: links.toReversed() }),
      ],
    );
    await otherProcess.close();
    expect(settled.map(reasonOf).sort()).toEqual(["IDP_LINK_TAKEN", undefined]);
    expect([...operations.conflicts, ...otherProcess.conflicts]).toEqual([]);
  });

  test("a change made redundant by a concurrent one returns the details of the concurrent one", async () => {
    const { userId } = await operations.importHuman({
      userName: newName(),
      phone: { phone: B, isPhoneVerified: true },
    });
    const change = { phone: A, verified: true, at: new Date() };
    const [settled] = await during(
      service.db,
      "commit",
      (transaction) => operations.changePhone(transaction, userId, change),
      [() => operations.setPhone(userId, A, true)],
    );
    expect(settled).toMatchObject({ status: "fulfilled", value: { sequence: 4n } });
    expect(await eventsOf(service.db, userId)).toHaveLength(4);
    expect(await userOf(service.db, userId)).toMatchObject({ phone: A, phone_verified: true, sequence: 4n });
  });

  test("a change that had no effect before the other one is applied after it", async () => {
    const { userId } = await operations.importHuman({
      userName: newName(),
      phone: { phone: A, isPhoneVerified: true },
    });
    const change = { phone: B, verified: true, at: new Date() };
    const [settled] = await during(
      service.db,
      "commit",
      (transaction) => operations.changePhone(transaction, userId, change),
      [() => operations.setPhone(userId, A, true)],
    );
    expect(settled).toMatchObject({ status: "fulfilled", value: { sequence: 6n } });
    expect(await userOf(service.db, userId)).toMatchObject({ phone: A, phone_verified: true, sequence: 6n });
  });

  test("a change that waits for another is applied after it, with the same time or a later one", async () => {
    const { userId } = await operations.importHuman({
      userName: newName(),
      phone: { phone: B, isPhoneVerified: true },
    });
    const later = new Date(Date.now() + 3_600_000);
    const [settled] = await during(
      service.db,
      "commit",
      (transaction) => operations.changePhone(transaction, userId, { phone: B, verified: false, at: later }),
      [() => operations.setPhone(userId, A, true)],
    );
    expect(settled).toMatchObject({
      status: "fulfilled",
      value: { sequence: 6n, changeDate: later },
    });
    const effects = await readStoredEffects(service, { userId, since: 4n, at: later });
    expect(effects.events).toEqual(["user.human.phone.changed", "user.human.phone.verified"]);
  });

  test.each(["setPassword", "changeOwnPassword"] as const)(
    "%s also ends a reset link and a session that another call has just created",
    async (operation) => {
      const { userId } = await operations.importHuman({ userName: newName() });
      const id = createId();
      const at = new Date();
      const settled = await during(
        service.db,
        "commit",
        async (transaction) => {
          await operations.changePhone(transaction, userId, { phone: A, verified: true, at });
          const { sequence } = await userOf(transaction, userId);
          await transaction
            .insertInto("codes")
            .values({
              org_id: service.orgId,
              id,
              user_id: userId,
              kind: "password",
              recipient: A,
              secret_hash: Buffer.alloc(32),
              sequence,
              created_at: at,
            })
            .execute();
          await transaction
            .insertInto("oidc_artifacts")
            .values({
              kind: "Session",
              key: Buffer.from(id),
              payload: "{}",
              user_id: userId,
              created_at: at,
              expires_at: new Date(at.getTime() + 60_000),
            })
            .execute();
        },
        [() => operations[operation](userId)],
      );
      expect(settled.map(reasonOf)).toEqual([undefined]);
      const code = await service.db.selectFrom("codes").select("expires_at").where("id", "=", id).executeTakeFirst();
      expect(code?.expires_at).toBeInstanceOf(Date);
      const session = await service.db
        .selectFrom("oidc_artifacts")
        .where("key", "=", Buffer.from(id))
        .executeTakeFirst();
      expect(session).toBeUndefined();
    },
  );
});

interface ImportFields {
  readonly userName: string;
  readonly phone?: { readonly phone: string; readonly isPhoneVerified: boolean };
  readonly idps?: { readonly configId: string; readonly externalUserId: string }[];
}

/** The operations without a port. The caller is `admin`. */
function createOperations(service: TestService) {
  const { keyring, config } = service;
  const { db, conflicts } = watchConflicts(service.db);
  const passwords = createHasher({ cost: config.bcryptCost, threads: 1 });
  const outbox = createOutbox({
    keyring,
    publicUrl: config.publicUrl,
    sendsEmail: false,
    sendsSms: false,
    onQueued() {},
  });
  const clock = () => new Date();
  const parts = { runTogether: createRunTogether(db), keyring, passwords, outbox, clock };
  const problems = {
    add(field: string, description: string) {
      throw new Error(`${field}: ${description}`);
    },
  };
  const call = createPrincipalCall({ userId: service.adminId, instanceId: service.instanceId, orgId: service.orgId });

  return {
    conflicts,
    close: () => passwords.close(),
    async importHuman(fields: ImportFields) {
      const request = create(ImportHumanUserRequestSchema, { ...HUMAN, ...fields });
      return importHumanUser(parts, checkImportHumanUser(request, problems), call);
    },
    async setPhone(userId: string, phone: string, isPhoneVerified = false): Promise<ObjectDetails> {
      const request = create(UpdateHumanPhoneRequestSchema, { userId, phone, isPhoneVerified });
      const { details } = await updateHumanPhone(parts, checkUpdateHumanPhone(request, problems), call);
      return details;
    },
    async setPassword(userId: string): Promise<void> {
      const password = service.secret("correct horse battery staple");
      await setHumanPassword(parts, { userId, password, changeRequired: false }, call);
    },
    async changeOwnPassword(userId: string): Promise<void> {
      const user = await findSignInUser({ db }, userId);
      if (user === undefined) throw new Error("there is no such user");
      const own = { ...parts, db, serializeHashing: createSerializePerKey() };
      const password = service.secret("correct horse battery staple");
      const changed = await changePassword(own, user, password, { sessionId: "kept-session" }, call);
      if (changed === undefined) throw new Error("the password was not changed");
    },
    /** Changes a number like another call, in a transaction that stays open. */
    async changePhone(
      transaction: Database,
      userId: string,
      { phone, verified, at }: { phone: string; verified: boolean; at: Date },
    ): Promise<void> {
      const { sequence } = await transaction
        .updateTable("users")
        .set({ phone, phone_verified: verified, sequence: sql`sequence + 1`, changed_at: at })
        .where("id", "=", userId)
        .returning("sequence")
        .executeTakeFirstOrThrow();
      await transaction
        .insertInto("events")
        .values({
          owner_id: service.orgId,
          aggregate_id: userId,
          sequence,
          type: "user.human.phone.changed",
          editor_id: service.adminId,
          created_at: at,
          payload: { phone },
        })
        .execute();
    },
  };
}

/**
 * The same database, and the deadlocks and serialization failures that it reports. Callers do not see them, because the
 * statement is retried.
 */
function watchConflicts(db: Database): { db: Database; conflicts: string[] } {
  const conflicts: string[] = [];
  const watched = Object.assign(db.withoutPlugins(), {
    lists: db.lists,
    ofCaller: db.ofCaller,
    async enter(caller?: QueryCaller) {
      const connection = await db.enter(caller);
      const query = (given: Query) =>
        connection.query(given).catch((error: { code?: string }) => {
          if (error.code === "40001" || error.code === "40P01") conflicts.push(error.code);
          throw error;
        });
      return { query, leave: connection.leave };
    },
  });
  return { db: watched, conflicts };
}

/**
 * Makes a change in a transaction, starts calls, waits until each of them waits for that transaction, and commits it.
 */
async function during<T>(
  db: Database,
  end: "commit" | "rollback",
  change: (transaction: Database) => Promise<unknown>,
  calls: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const transaction = await db.startTransaction().execute();
  let running: Promise<T>[] = [];
  try {
    await change(toDatabase(transaction));
    running = calls.map((call) => call());
    await untilBlocked(db, calls.length);
  } finally {
    await transaction[end]().execute();
  }
  return Promise.allSettled(running);
}

/** @returns The id of a new identity provider. */
async function addIdp(service: TestService, rpc: IdpRpc): Promise<string> {
  const caller = createCaller("rest", service, service.adminToken);
  const outcome = await caller.call(rpc, { ...IDP, clientSecret: service.secret(CLIENT_SECRET) });
  if (!outcome.ok) throw new Error(outcome.message);
  return String(outcome.message.idpId);
}

/** The reason of each failure; undefined for a success. */
async function reasonsOf(attempts: readonly Promise<unknown>[]): Promise<(string | undefined)[]> {
  return (await Promise.allSettled(attempts)).map(reasonOf);
}

function reasonOf(result: PromiseSettledResult<unknown>): string | undefined {
  if (result.status === "fulfilled") return undefined;
  return result.reason instanceof SignetError ? result.reason.reason : String(result.reason);
}

function eventsOf(db: Database, userId: string) {
  return db.selectFrom("events").selectAll().where("aggregate_id", "=", userId).orderBy("sequence").execute();
}

function userOf(db: Database, userId: string) {
  return db
    .selectFrom("users")
    .select(["sequence", "phone", "phone_verified"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}
