import { randomBytes } from "node:crypto";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { createOrg } from "../../src/orgs/change-org.ts";
import { createHasher } from "../../src/passwords/hasher.ts";
import { type Attempt, createAttemptLimit } from "../../src/sign-in/attempt-limit.ts";
import { createFailedSignIns } from "../../src/sign-in/failed-sign-ins.ts";
import { nameIdentifier } from "../../src/sign-in/identifier.ts";
import { createKnownDevices } from "../../src/sign-in/known-devices.ts";
import { signInWithPassword } from "../../src/sign-in/password/sign-in-with-password.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase("postgres");
});
afterAll(() => database?.close());

test("a sign-in that is rejected because too many passwords wait does not count as a failure", async () => {
  const { db } = database;
  const clock = () => new Date("2026-01-01T00:00:00Z");
  const keyring = createKeyring([randomBytes(32)]);
  const passwords = createHasher({ cost: 15, threads: 1 });
  const attemptLimit = createAttemptLimit({ db, keyring, clock });
  const failedSignIns = createFailedSignIns();
  const parts = { db, clock, passwords, attemptLimit, knownDevices: createKnownDevices(keyring), failedSignIns };
  const orgId = await createOrg({ db, clock }, "full");
  const caller = { signal: new AbortController().signal, throwIfOver() {} };
  const gone = new AbortController();
  const waiting = Array.from({ length: 65 }, () =>
    passwords.hash("correct horse", { turn: { kind: "page", orgId }, signal: gone.signal }),
  );
  const attempt = { orgId, identifier: nameIdentifier("ada"), password: "wrong", address: "192.0.2.1" };
  const signIn = () => signInWithPassword(parts, { ...attempt, deviceCookie: undefined }, caller);
  for (let count = 0; count < 3; count++) await expect(signIn()).rejects.toMatchObject({ reason: "UNAVAILABLE" });

  gone.abort(new Error("gone"));
  await Promise.allSettled(waiting);
  const next: Attempt = { orgId, nameKey: "ada", address: "192.0.2.1", device: undefined };
  expect(await attemptLimit.admit(next, caller)).toEqual({ ok: true, failures: 1 });
  await passwords.close();
});
