import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { createId } from "../../../src/crypto/secrets.ts";
import { call, createVisitor, lastReceived, VISITED } from "../../support/browsers/visitor.ts";
import { type Caller, createCaller } from "../../support/clients/callers.ts";
import { BCRYPT, HUMAN, IDP } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

/** Everything that identifies the person, in values that occur nowhere else. */
const PERSON = {
  userName: "wilhelmina.quartermain",
  profile: {
    firstName: "Wilhelmina",
    lastName: "Quartermain",
    nickName: "Quartzy",
    displayName: "Countess Quartermain",
    preferredLanguage: "de-LI",
    gender: "GENDER_FEMALE",
  },
  email: { email: "wilhelmina@quartermain.example" },
  phone: { phone: "+41791239876" },
  otpCode: "otp-of-quartermain",
} as const;
const WORDS = ["wilhelmina", "quarter", "quartzy", "de-li", "1239876", "quartermain-external", "otp-of"];

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  for (const secret of [BCRYPT, IDP.clientSecret]) service.secret(secret);
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

/** Every row of every table, every log line and every file of a message, in lower case; bytes as text and in hex. */
async function everything(): Promise<string> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(service.db);
  const texts = [JSON.stringify(service.logs)];
  for (const { name } of tables.rows) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(service.db);
    for (const row of rows) {
      for (const value of Object.values(row)) {
        texts.push(
          Buffer.isBuffer(value)
            ? `${value.toString("latin1")} ${value.toString("hex")}`
            : String(JSON.stringify(typeof value === "bigint" ? String(value) : value)),
        );
      }
    }
  }
  for (const folder of ["mail", "sms"].map((name) => join(service.config.dataDir, name))) {
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(folder)) texts.push(file, readFileSync(join(folder, file), "utf8"));
  }
  return texts.join("\n").toLowerCase();
}

/** A person with all the data that the service can store. */
async function newPerson(): Promise<string> {
  const { idpId } = await call(service, "AddOrgOIDCIDP", IDP);
  const message = await call(service, "ImportHumanUser", {
    ...PERSON,
    idps: [{ configId: idpId ?? "", externalUserId: "quartermain-external", displayName: "Quartermain" }],
    requestPasswordlessRegistration: true,
  });
  const userId = String(message.userId);
  const visitor = createVisitor(service);
  const init = await lastReceived(service, userId, "initialization");
  await service.delivery.deliverDue();
  const password = service.secret("a password of quartermain");
  expect((await visitor.post("/ui/init", { code: init.code, password, repeat: password })).status).toBe(200);
  await call(service, "UpdateHumanEmail", { userId, email: "w@quartermain.example" });
  await call(service, "UpdateHumanProfile", { userId, firstName: "Mina", lastName: "Quartermain" });
  await service.db
    .insertInto("passkeys")
    .values({
      org_id: service.orgId,
      id: "quartermain-key",
      user_id: userId,
      public_key: Buffer.from("quartermain-public-key"),
      counter: 0n,
      transports: [],
      aaguid: service.orgId,
      device_type: "multiDevice",
      backed_up: true,
      name: "Key of Quartermain",
      created_at: new Date(),
    })
    .execute();
  await service.db
    .insertInto("recovery_codes")
    .values({ org_id: service.orgId, user_id: userId, hash: Buffer.from("quartermain"), created_at: new Date() })
    .execute();
  await service.db
    .insertInto("messages")
    .values({
      org_id: service.orgId,
      id: createId(),
      user_id: userId,
      code_id: null,
      notice: "password-changed",
      channel: "email",
      recipient: PERSON.email.email,
      content: null,
      content_key: null,
      created_at: new Date(),
      next_attempt_at: new Date(),
      ended_at: null,
      last_error: null,
    })
    .execute();
  await service.db
    .insertInto("oidc_artifacts")
    .values({
      kind: "Session",
      key: Buffer.from("quartermain-session"),
      payload: JSON.stringify({ name: "Quartermain" }),
      user_id: userId,
      created_at: new Date(),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute();
  return userId;
}

test("no data of a removed user is left in any table, in the log, or in the files of messages", async () => {
  const userId = await newPerson();
  await service.delivery.deliverDue();
  const before = await everything();
  for (const word of WORDS) expect([word, before.includes(word)]).toEqual([word, word !== "otp-of"]);
  const events = await service.db
    .selectFrom("events")
    .select(["sequence", "type", "editor_id", "created_at"])
    .where("aggregate_id", "=", userId)
    .orderBy("sequence")
    .execute();

  service.clockOffsetMs += 60_000;
  const outcome = await caller.call("RemoveUser", { id: userId });
  expect(outcome).toEqual({
    ok: true,
    headers: expect.anything(),
    message: {
      details: {
        sequence: `${events.length + 1}`,
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: service.orgId,
      },
    },
  });
  const after = await everything();
  for (const word of WORDS) expect([word, after.includes(word)]).toEqual([word, false]);
  const kept = await service.db
    .selectFrom("events")
    .select(["sequence", "type", "editor_id", "created_at", "payload"])
    .where("aggregate_id", "=", userId)
    .orderBy("sequence")
    .execute();
  expect(kept).toEqual([
    ...events.map((event) => ({ ...event, payload: null })),
    {
      sequence: BigInt(events.length + 1),
      type: "user.removed",
      editor_id: service.adminId,
      created_at: expect.any(Date),
      payload: {},
    },
  ]);
  expect(await caller.call("RemoveUser", { id: userId })).toMatchObject({ reason: "USER_NOT_FOUND" });
});

test("the user name and the external identity can be used again", async () => {
  const { idpId } = await call(service, "AddOrgOIDCIDP", IDP);
  const request = {
    userName: "ada",
    ...HUMAN,
    idps: [{ configId: idpId ?? "", externalUserId: "ada", displayName: "Ada" }],
  };
  const { userId } = await call(service, "ImportHumanUser", request);
  const taken = { ok: false, reason: "USER_NAME_TAKEN", metadata: { userId } };
  expect(await caller.call("ImportHumanUser", request)).toMatchObject(taken);
  await call(service, "RemoveUser", { id: String(userId) });
  expect(await caller.call("ImportHumanUser", request)).toMatchObject({ ok: true });
});

test("the links of a removed user are not valid", async () => {
  const { userId } = await call(service, "ImportHumanUser", {
    userName: "links",
    ...HUMAN,
    email: { email: "ada@example.com" },
  });
  const { path } = await lastReceived(service, String(userId), "initialization");
  await call(service, "RemoveUser", { id: String(userId) });
  expect((await createVisitor(service).open(path)).status).toBe(404);
});

test("removing a user during fifty changes leaves nothing, and each change fails or precedes the removal", async () => {
  const { userId } = await call(service, "ImportHumanUser", { userName: "busy", ...HUMAN });
  const changes = Array.from({ length: 50 }, (_, number) =>
    number === 25
      ? caller.call("RemoveUser", { id: String(userId) })
      : caller.call("UpdateHumanEmail", { userId: String(userId), email: `quartermain-${number}@example.com` }),
  );
  const outcomes = await Promise.all(changes);
  const removed = outcomes[25];
  // The changes of one user run one after another, so on a slow machine some wait too long, and write nothing.
  if (removed?.ok === false) {
    expect(["ABORTED", "UNAVAILABLE"]).toContain(removed.reason);
    await call(service, "RemoveUser", { id: String(userId) });
  }
  for (const [index, outcome] of outcomes.entries()) {
    if (!outcome.ok && index !== 25) expect(["USER_NOT_FOUND", "UNAVAILABLE"]).toContain(outcome.reason);
  }
  expect(await everything()).not.toContain("quartermain");
  const events = await service.db
    .selectFrom("events")
    .select(["sequence", "type", "payload"])
    .where("aggregate_id", "=", String(userId))
    .orderBy("sequence")
    .execute();
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => BigInt(index + 1)));
  expect(events.slice(0, -1).every(({ payload }) => payload === null)).toBe(true);
  expect(events.at(-1)?.type).toBe("user.removed");
});

test("every table that refers to users or codes is emptied with them", async () => {
  const { rows } = await sql<{ table: string; action: string }>`
    select conrelid::regclass::text as table, confdeltype as action from pg_constraint
    where contype = 'f' and confrelid in ('users'::regclass, 'codes'::regclass) order by 1`.execute(service.db);
  expect(rows.map(({ table }) => table)).toEqual(expect.arrayContaining(["codes", "members", "messages", "tokens"]));
  expect(rows.filter(({ action }) => action !== "c")).toEqual([]);
  // A column with a user id that is not a foreign key is erased by the statement itself.
  const columns = await sql<{ table: string }>`
    select table_name as table from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' and table_name not in (${sql.join(
      rows.map(({ table }) => table),
    )})`.execute(service.db);
  // The log of SCIM keeps the id, as events do, and nothing else of a user.
  expect(columns.rows.map(({ table }) => table).sort()).toEqual(["failed_sign_ins", "oidc_artifacts", "scim_requests"]);
});
