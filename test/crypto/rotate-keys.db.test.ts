import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { KEYED_COLUMNS } from "../../src/cli/rotate-keys.ts";
import { createKeyring, type Keyring } from "../../src/crypto/keyring.ts";
import { registerKeys } from "../../src/crypto/register-keys.ts";
import { rotateKeys } from "../../src/crypto/rotate-keys.ts";
import { type Address, connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "../support/databases/database.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const processes = createProcesses();
afterAll(() => processes.close());

const newKey = () => processes.secret(randomBytes(32).toString("base64"));
const ringOf = (key: string, ...older: string[]): Keyring =>
  createKeyring([Buffer.from(key, "base64"), ...older.map((each) => Buffer.from(each, "base64"))]);

/** Listed again, so that a column that the command forgets fails the tests. */
const SEALED = [
  { table: "idps", column: "client_secret" },
  { table: "users", column: "otp_code" },
  { table: "messages", column: "content" },
  { table: "webhook_keys", column: "secret" },
  { table: "password_hooks", column: "secret" },
] as const;

/** Every sealed value, decrypted. Throws if one cannot be decrypted. */
async function openAll(db: Database, keyring: Keyring): Promise<Record<string, string[]>> {
  const opened: Record<string, string[]> = {};
  for (const { table, column } of SEALED) {
    const { rows } = await sql<{ id: string; ciphertext: Buffer; key: string }>`
      select id, ${sql.ref(column)} as ciphertext, ${sql.ref(`${column}_key`)} as key
      from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(db);
    opened[table] = rows.map(({ id, ciphertext, key }) =>
      keyring.open({ table, column, rowId: id }, { keyId: key, ciphertext }),
    );
  }
  return opened;
}

async function storedKeys(db: Database): Promise<string[]> {
  return (await db.selectFrom("master_keys").select("id").execute()).map(({ id }) => id);
}

describe.each(DATABASE_KINDS)("on %s, a server", (kind) => {
  const [oldKey, key] = [newKey(), newKey()];
  let variables: Record<string, string>;
  let address: Address;
  let server: TestServer;
  let token: string;
  let userId: string;
  let signingKey: string;
  let hookKey: string;
  const secrets: string[] = [];

  beforeAll(async () => {
    const installation = await processes.createInstallation(kind, kind);
    // Neither provider is reachable, so the messages wait.
    const unreachable = {
      SMTP_URL: "smtp://127.0.0.1:1",
      EMAIL_FROM: "signet@example.com",
      SMS_PROVIDER: "webhook",
      SMS_WEBHOOK_URL: "http://127.0.0.1:1",
      SMS_WEBHOOK_SECRET: "secret",
    };
    const { MASTER_KEY: _unused, ...own } = installation.variables;
    variables = { ...own, ...unreachable };
    address = installation.address;
    server = await processes.serve({ ...variables, MASTER_KEY: oldKey });
    token = readToken(installation.tokenFile);
    const response = await importUser("ada");
    userId = response.body.userId;
    await addIdp();
    const body = { name: "CRM", url: "http://127.0.0.1:9/" };
    const webhook = await send(server.origin, "POST", "/management/v1/webhooks", { token, body });
    signingKey = processes.secret(webhook.body.signingKey);
    const hook = { url: "https://legacy.example.com/" };
    const set = await send(server.origin, "POST", "/management/v1/password_hook", { token, body: hook });
    hookKey = processes.secret(set.body.signingKey);
  });

  const importUser = (name: string) =>
    send(server.origin, "POST", IMPORT_PATH, {
      token,
      body: {
        ...human(name),
        email: { email: `${name}@example.com`, isEmailVerified: false },
        otpCode: processes.secret(`otp-code-of-${name}`),
      },
    });
  const addIdp = async () => {
    const clientSecret = processes.secret(`client-secret-${secrets.length}`);
    const body = { name: "Corp", clientId: "c", clientSecret, issuer: "https://idp.example.com" };
    secrets.push(clientSecret);
    return await send(server.origin, "POST", "/management/v1/idps/oidc", { token, body });
  };
  const changePhone = (number: number) =>
    send(server.origin, "PUT", `/management/v1/users/${userId}/phone`, {
      token,
      body: { phone: `+4179${String(1_000_000 + number)}` },
    });

  // The keys are checked before anything that depends on the database.
  const testOnPostgres = kind === "postgres" ? test : () => {};

  testOnPostgres("fails to start without an older key that is still in use, and prints the id of the key", async () => {
    expect(await server.stop()).toMatchObject({ code: 0 });
    const missing = ringOf(oldKey).currentKeyId;
    const outcome = await processes.runHere(["serve"], { ...variables, MASTER_KEY: key });
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toBe(
      `signet: MASTER_KEY_PREVIOUS is incomplete: add the master key with id ${missing}, which encrypts stored secrets\n`,
    );
    const both = await processes.runHere(["serve"], { ...variables, MASTER_KEY: key, MASTER_KEY_PREVIOUS: key });
    expect(both).toMatchObject({
      code: 1,
      stderr: "signet: MASTER_KEY_PREVIOUS is invalid: expected older keys only, got the current key too\n",
    });
  });

  test("keeps writing during two concurrent rotations, and no secret is lost", async () => {
    const withBoth = { ...variables, MASTER_KEY: key, MASTER_KEY_PREVIOUS: oldKey };
    expect(await server.stop()).toMatchObject({ code: 0 });
    server = await processes.serve(withBoth);
    let isOver = false;
    const written = { idps: 0, phones: 0 };
    const writeIdps = async () => {
      while (!isOver) {
        expect(await addIdp()).toMatchObject({ status: 200 });
        written.idps++;
      }
    };
    const writePhones = async () => {
      while (!isOver) {
        expect(await changePhone(written.phones)).toMatchObject({ status: 200 });
        written.phones++;
      }
    };
    const writers = Promise.all([writeIdps(), writePhones()]);
    try {
      await Promise.race([until("both have written", () => written.idps > 5 && written.phones > 5), writers]);
      const connections = [1, 2].map(() => connect(address, 1, () => {}));
      const results = await Promise.all(
        connections.map((db) => rotateKeys(db, ringOf(key, oldKey), KEYED_COLUMNS, new Date())),
      );
      await Promise.all(connections.map((db) => db.destroy()));
      // A client secret, an otp code, two signing keys and the messages so far, each once.
      const rewritten = results.reduce((sum, result) => sum + result.rewritten, 0);
      expect(rewritten).toBe(5);
      const during = { ...written };
      await Promise.race([
        until("both go on", () => written.idps > during.idps && written.phones > during.phones),
        writers,
      ]);
    } finally {
      isOver = true;
      await writers;
    }

    const db = connect(address, 1, () => {});
    const opened = await openAll(db, ringOf(key));
    expect(opened.idps?.sort()).toEqual([...secrets].sort());
    expect(opened.users).toEqual(["otp-code-of-ada"]);
    expect(opened.webhook_keys).toEqual([signingKey]);
    expect(opened.password_hooks).toEqual([hookKey]);
    expect(await storedKeys(db)).toEqual([ringOf(key).currentKeyId]);
    const { sequence } = await db
      .selectFrom("users")
      .select("sequence")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    // Two events of the import, and two of each change: the number, and the SMS.
    expect(Number(sequence)).toBe(2 + 2 * written.phones);
    await db.destroy();
    // With only the new key, like a server that starts afterwards. test/cli/sign-in.db.test.ts starts one.
    const outcome = await processes.runHere(["keys", "rotate", "--json"], { ...variables, MASTER_KEY: key });
    expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(outcome.stdout)).toEqual({
      currentKey: ringOf(key).currentKeyId,
      rewritten: 0,
      stillNeeded: [],
    });
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});

describe.each(DATABASE_KINDS)("on %s, a rotation", (kind) => {
  let database: TestDatabase;
  let db: Database;
  const [oldKey, key] = [newKey(), newKey()];
  const [oldRing, ring] = [ringOf(oldKey), ringOf(key, oldKey)];
  const now = new Date("2026-01-01T12:00:00Z");
  const ORG = "01900000-0000-7000-8000-000000000001";
  const USER = "01900000-0000-7000-8000-000000000002";

  beforeAll(async () => {
    database = await createTestDatabase(kind, 4);
    db = database.db;
    const times = { sequence: 1n, created_at: now, changed_at: now };
    await db.insertInto("master_keys").values({ id: oldRing.currentKeyId, created_at: now }).execute();
    await db
      .insertInto("orgs")
      .values({ id: ORG, name: "x", name_key: "x", ...times })
      .execute();
    await db
      .insertInto("users")
      .values({ org_id: ORG, id: USER, kind: "machine", user_name: "x", user_name_key: "x", ...times })
      .execute();
    await registerKeys(db, ring, now);
  });
  afterAll(() => database.close());

  const rememberOldKey = () => registerKeys(db, ringOf(oldKey, key), now);

  async function addCode(number: number, times: { expires_at: Date | null; used_at: Date | null }): Promise<string> {
    const id = `01900000-0000-7000-8000-1000000000${String(number).padStart(2, "0")}`;
    const { keyId, mac } = oldRing.digest(`${id} 123456`);
    const digits = { digits_hash: mac, digits_key: keyId };
    const code = { org_id: ORG, id, user_id: USER, kind: "phone" as const, secret_hash: Buffer.alloc(32) };
    await db
      .insertInto("codes")
      .values({ ...code, ...digits, created_at: now, ...times })
      .execute();
    return id;
  }

  test("keeps an older key while a code that was sent depends on it", async () => {
    const later = new Date(now.getTime() + 3_600_000);
    const valid = await addCode(1, { expires_at: later, used_at: null });
    const used = await addCode(2, { expires_at: later, used_at: now });
    const expired = await addCode(3, { expires_at: now, used_at: null });
    expect(await rotateKeys(db, ring, KEYED_COLUMNS, now)).toEqual({
      rewritten: 0,
      stillNeeded: [oldRing.currentKeyId],
    });
    const codes = await db.selectFrom("codes").select(["id", "digits_key", "digits_hash"]).orderBy("id").execute();
    expect(codes).toEqual([
      {
        id: valid,
        digits_key: oldRing.currentKeyId,
        digits_hash: ring.digest(`${valid} 123456`, oldRing.currentKeyId).mac,
      },
      { id: used, digits_key: null, digits_hash: null },
      { id: expired, digits_key: null, digits_hash: null },
    ]);
    await expect(registerKeys(db, ringOf(key), now)).rejects.toThrow(oldRing.currentKeyId);

    expect(await rotateKeys(db, ring, KEYED_COLUMNS, later)).toEqual({ rewritten: 0, stillNeeded: [] });
    expect(await storedKeys(db)).toEqual([ring.currentKeyId]);
    await registerKeys(db, ringOf(key), now);
  });

  async function addMessage(codeId: string, sealer: Keyring, content: object): Promise<void> {
    const id = codeId.replace("-1", "-3");
    const sealed = sealer.seal({ table: "messages", column: "content", rowId: id }, JSON.stringify(content));
    const message = {
      org_id: ORG,
      id,
      user_id: USER,
      code_id: codeId,
      channel: "sms" as const,
      recipient: "+41791234567",
    };
    await db
      .insertInto("messages")
      .values({
        ...message,
        content: sealed.ciphertext,
        content_key: sealed.keyId,
        created_at: now,
        next_attempt_at: now,
      })
      .execute();
  }

  async function digitsOf(id: string) {
    return await db
      .selectFrom("codes")
      .select(["digits_hash", "digits_key"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  }

  test("rehashes the digits of a queued SMS, after which the older key is not needed", async () => {
    await registerKeys(db, ring, now);
    await rememberOldKey();
    const waiting = { expires_at: null, used_at: null };
    const [both, codeOnly] = [await addCode(10, waiting), await addCode(11, waiting)];
    await addMessage(both, oldRing, { secret: "s", digits: "123456" });
    // As after an interrupted rotation.
    await addMessage(codeOnly, ring, { secret: "s", digits: "123456" });
    expect(await rotateKeys(db, ring, KEYED_COLUMNS, now)).toEqual({ rewritten: 1, stillNeeded: [] });
    for (const id of [both, codeOnly]) {
      const { keyId, mac } = ringOf(key).digest(`${id} 123456`);
      expect(await digitsOf(id)).toEqual({ digits_hash: mac, digits_key: keyId });
    }
    const opened = await openAll(db, ringOf(key));
    expect(opened.messages).toEqual(Array(2).fill('{"secret":"s","digits":"123456"}'));
  });

  test("does not change a code whose digits differ from those of the message", async () => {
    await rememberOldKey();
    const id = await addCode(12, { expires_at: null, used_at: null });
    await addMessage(id, oldRing, { secret: "s", digits: "654321" });
    const before = await digitsOf(id);
    expect(await rotateKeys(db, ring, KEYED_COLUMNS, now)).toEqual({
      rewritten: 1,
      stillNeeded: [oldRing.currentKeyId],
    });
    expect(await digitsOf(id)).toEqual(before);
    await db.updateTable("codes").set({ digits_hash: null, digits_key: null }).where("id", "=", id).execute();
  });

  // The embedded database has one session, so there is no concurrent change.
  const testOnPostgres = (title: string, run: () => Promise<void>) => {
    if (kind === "postgres") test(title, run);
  };
  testOnPostgres("does not overwrite a concurrent change of a code", async () => {
    await rememberOldKey();
    const id = await addCode(13, { expires_at: null, used_at: null });
    await addMessage(id, ring, { secret: "s", digits: "123456" });
    const changed = { digits_hash: ring.digest(`${id} 999999`).mac, digits_key: ring.currentKeyId };
    const rotation = await db.transaction().execute(async (transaction) => {
      await transaction.updateTable("codes").set(changed).where("id", "=", id).execute();
      const running = rotateKeys(db, ring, KEYED_COLUMNS, now);
      await untilBlocked(db);
      return { running };
    });
    expect(await rotation.running).toEqual({ rewritten: 0, stillNeeded: [] });
    expect(await digitsOf(id)).toEqual(changed);
  });

  testOnPostgres("keeps an attempt that is counted while the digits are rehashed", async () => {
    await rememberOldKey();
    const id = await addCode(14, { expires_at: null, used_at: null });
    await addMessage(id, ring, { secret: "s", digits: "123456" });
    const rotation = await db.transaction().execute(async (transaction) => {
      await transaction.updateTable("codes").set({ attempts: 1 }).where("id", "=", id).execute();
      const running = rotateKeys(db, ring, KEYED_COLUMNS, now);
      await untilBlocked(db);
      return { running };
    });
    expect(await rotation.running).toEqual({ rewritten: 0, stillNeeded: [] });
    const { keyId, mac } = ringOf(key).digest(`${id} 123456`);
    expect(await digitsOf(id)).toEqual({ digits_hash: mac, digits_key: keyId });
    const code = await db.selectFrom("codes").select("attempts").where("id", "=", id).executeTakeFirstOrThrow();
    expect(code.attempts).toBe(1);
  });

  test("re-encrypts more rows than one batch holds, and skips those under the current key", async () => {
    await registerKeys(db, ring, now);
    await rememberOldKey();
    const total = 1_203;
    const rows = Array.from({ length: total }, (_, number) => {
      const id = `01900000-0000-7000-8000-2${String(number).padStart(11, "0")}`;
      const place = { table: "users", column: "otp_code", rowId: id };
      const sealed = (number % 3 === 0 ? ring : oldRing).seal(place, `otp ${number}`);
      return {
        ...{ org_id: ORG, id, kind: "machine" as const, user_name: id, user_name_key: id },
        ...{ otp_code: sealed.ciphertext, otp_code_key: sealed.keyId },
        ...{ sequence: 1n, created_at: now, changed_at: now },
      };
    });
    await db.insertInto("users").values(rows).execute();
    expect(await rotateKeys(db, ring, KEYED_COLUMNS, now)).toEqual({ rewritten: 802, stillNeeded: [] });
    const stored = await db
      .selectFrom("users")
      .select(["id", "otp_code"])
      .where("id", "<>", USER)
      .orderBy("id")
      .execute();
    const kept = stored.filter(({ otp_code }, number) => rows[number]?.otp_code.equals(otp_code ?? Buffer.alloc(0)));
    expect(kept).toHaveLength(401);
    const opened = await openAll(db, ringOf(key));
    expect(opened.users?.sort()).toEqual(rows.map((_, number) => `otp ${number}`).sort());
  });

  test("fails at a value that cannot be decrypted, and removes no key", async () => {
    await rememberOldKey();
    const { ciphertext, keyId } = oldRing.seal({ table: "users", column: "otp_code", rowId: ORG }, "of another row");
    await db.updateTable("users").set({ otp_code: ciphertext, otp_code_key: keyId }).where("id", "=", USER).execute();
    await expect(rotateKeys(db, ring, KEYED_COLUMNS, now)).rejects.toThrow();
    expect((await storedKeys(db)).sort()).toEqual([oldRing.currentKeyId, ring.currentKeyId].sort());
  });
});
