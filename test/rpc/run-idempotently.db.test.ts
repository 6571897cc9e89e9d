import { randomBytes, randomUUID } from "node:crypto";
import { create, toJsonString } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { AddOrgOIDCIDPRequestSchema, ImportHumanUserRequestSchema } from "../../gen/signet/v1/management_pb.js";
import { createSanitizeSvg } from "../../src/branding/svg-thread.ts";
import type { Call } from "../../src/call.ts";
import { readConfig } from "../../src/config.ts";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { registerKeys } from "../../src/crypto/register-keys.ts";
import { createRunTogether } from "../../src/database/run-together.ts";
import { createReadSettledPosition } from "../../src/events/settled-position.ts";
import { createSamlThread } from "../../src/idps/saml/saml-thread.ts";
import { createOutbox } from "../../src/messages/outbox.ts";
import { createOrg } from "../../src/orgs/change-org.ts";
import { createProveDomain } from "../../src/orgs/domains/domain-proof.ts";
import { createHasher } from "../../src/passwords/hasher.ts";
import type { Rpc } from "../../src/rpc/implement.ts";
import { createRpcs } from "../../src/rpcs.ts";
import { BCRYPT, HUMAN, IDP } from "../support/clients/requests.ts";
import { createTestDatabase, DATABASE_KINDS, type TestDatabase, watchQueries } from "../support/databases/database.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";

const LINK_SECRET = /code=[\w-]+\.([\w-]{22})/;

describe.each(DATABASE_KINDS)("two processes on %s", (kind) => {
  const keyring = createKeyring([randomBytes(32)]);
  const clock = () => new Date();
  const hasher = createHasher({ cost: 4, threads: 1 });
  let hashes = 0;
  const passwords: typeof hasher = {
    ...hasher,
    hash(...args) {
      hashes += 1;
      return hasher.hash(...args);
    },
  };
  let database: TestDatabase;
  let orgId: string;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await registerKeys(database.db, keyring, clock());
    orgId = await createOrg({ db: database.db, clock }, "Once");
  });
  afterAll(async () => {
    await passwords.close();
    await database.close();
  });

  /** The RPCs of one process. */
  function createProcess(db = database.db): (name: string) => Rpc {
    const options = { keyring, publicUrl: "http://localhost", sendsEmail: false, sendsSms: false, onQueued() {} };
    const rpcs = createRpcs({
      db,
      runTogether: createRunTogether(db),
      keyring,
      passwords,
      outbox: createOutbox(options),
      clock,
      publicUrl: "http://localhost",
      eraseFiles: async () => {},
      readSettledPosition: createReadSettledPosition(db),
      config: readConfig({}),
      saml: createSamlThread(),
      sanitizeSvg: createSanitizeSvg(),
      proveDomain: createProveDomain({ allowsPrivate: false }),
    });
    return (name) => {
      const rpc = rpcs.find(({ desc }) => desc.name === name);
      if (rpc === undefined) throw new Error(`no RPC ${name}`);
      return rpc;
    };
  }

  const callerId = randomUUID();
  const callWith = (idempotencyKey?: string): Call =>
    createPrincipalCall({ userId: callerId, instanceId: orgId, orgId, idempotencyKey });
  const imported = (userName: string) =>
    create(ImportHumanUserRequestSchema, {
      userName,
      ...HUMAN,
      hashedPassword: { value: BCRYPT },
      requestPasswordlessRegistration: true,
    });
  const count = async (table: "users" | "idps" | "events") =>
    Number(
      (await database.db.selectFrom(table).select(sql<string>`count(*)`.as("count")).executeTakeFirstOrThrow()).count,
    );

  test("a repeated import with a password does not hash it again", async () => {
    const run = createProcess()("ImportHumanUser").run;
    const request = create(ImportHumanUserRequestSchema, {
      userName: `hashed-${randomUUID()}`,
      ...HUMAN,
      hashedPassword: undefined,
      password: "a password of 9",
    });
    const [key, before] = [randomUUID(), hashes];
    const first = await run(request, callWith(key));
    expect(await run(request, callWith(key))).toEqual(first);
    expect(hashes - before).toBe(1);
  });

  test.each([
    ["ImportHumanUser", "users", () => imported(`many-${randomUUID()}`)],
    ["AddOrgOIDCIDP", "idps", () => create(AddOrgOIDCIDPRequestSchema, IDP)],
  ] as const)("carry out fifty equal calls of %s once", async (name, table, toRequest) => {
    const processes = [createProcess(), createProcess()];
    const [request, key, before] = [toRequest(), randomUUID(), await count(table)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => processes[index % 2]?.(name).run(request, callWith(key))),
    );
    const { output } = createProcess()(name).desc;
    const texts = new Set(answers.map((answer) => answer && toJsonString(output, answer)));
    expect([...texts]).toEqual([expect.stringContaining("details")]);
    expect((await count(table)) - before).toBe(1);
  });

  test("run one of different calls with the same key, and reject the others", async () => {
    const processes = [createProcess(), createProcess()];
    const [key, before] = [randomUUID(), await count("users")];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        processes[index % 2]?.("ImportHumanUser").run(imported(`other-${index}-${key}`), callWith(key)),
      ),
    );
    const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.reason] : []));
    expect(reasons).toEqual(Array(19).fill("IDEMPOTENCY_KEY_REUSED"));
    expect((await count("users")) - before).toBe(1);
  });

  test("return the response of a first call whose caller disconnected, with its link", async () => {
    const key = randomUUID();
    const request = imported(`lost-${key}`);
    const first = await createProcess()("ImportHumanUser").run(request, callWith(key));
    const { output } = createProcess()("ImportHumanUser").desc;
    const second = await createProcess()("ImportHumanUser").run(request, callWith(key));
    expect(toJsonString(output, second)).toBe(toJsonString(output, first));
    const [, secret = ""] = LINK_SECRET.exec(toJsonString(output, first)) ?? [];
    expect(secret).toHaveLength(22);
    // The stored response is encrypted.
    const stored = await database.db.selectFrom("idempotency_keys").select("answer").execute();
    const bytes = Buffer.concat(stored.map(({ answer }) => answer ?? Buffer.alloc(0)));
    expect(bytes.length).toBeGreaterThan(0);
    for (const form of [secret, Buffer.from(secret).toString("base64").slice(2, -4)]) {
      expect(bytes.includes(form)).toBe(false);
    }
  });

  test("need one statement for a first call, and find the response of a repeated one", async () => {
    let count = 0;
    const onQuery = () => {
      count += 1;
    };
    const run = createProcess(watchQueries(database.db, onQuery))("ImportHumanUser").run;
    const [request, key] = [imported(`few-${randomUUID()}`), randomUUID()];
    const first = await run(request, callWith(key));
    expect(count).toBe(1);
    expect(await run(request, callWith(key))).toEqual(first);
  });

  test("store nothing for a call without a key", async () => {
    const stored = () => database.db.selectFrom("idempotency_keys").selectAll().execute();
    const before = await stored();
    await createProcess()("ImportHumanUser").run(imported(`plain-${randomUUID()}`), callWith());
    expect(await stored()).toEqual(before);
  });
});
