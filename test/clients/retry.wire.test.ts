import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { Interceptor } from "@connectrpc/connect";
import { sql } from "kysely";
import {
  Code,
  createSignetClient,
  Reason,
  readError,
  type SignetNodeClient,
  type SignetNodeOptions,
} from "../../clients/typescript/src/node.ts";
import { createSignetClient as createWebClient } from "../../clients/typescript/src/web.ts";
import { BCRYPT, HUMAN } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** SQLSTATEs that the service converts to ABORTED and UNAVAILABLE. */
const CONFLICT = "40001";
const STARTING_UP = "57P03";

let service: TestService;
let count = 0;
/** The `idempotency-key` of each attempt. */
let keys: (string | null)[] = [];
const clients: SignetNodeClient[] = [];
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(BCRYPT);
  await sql`create sequence failures`.execute(service.db);
});
afterEach(() => {
  keys = [];
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => service?.close());

const recordKeys: Interceptor = (next) => (request) => {
  keys.push(request.header.get("idempotency-key"));
  return next(request);
};

function createClient(options: Partial<SignetNodeOptions> = {}): SignetNodeClient {
  const client = createSignetClient({
    baseUrl: service.origin,
    token: service.adminToken,
    retry: { backoffMs: 20 },
    interceptors: [recordKeys],
    ...options,
  });
  clients.push(client);
  return client;
}

/** Until the returned function is called, the first statements that write to a table fail in the database. */
async function failWrites(table: string, sqlstate: string, times: number): Promise<() => Promise<void>> {
  await sql`select setval('failures', 1, false)`.execute(service.db);
  await sql`create function fail_writes() returns trigger language plpgsql as ${sql.lit(`
    begin
      if nextval('failures') <= ${times} then raise exception 'a failure of the tests' using errcode = '${sqlstate}'; end if;
      return new;
    end`)}`.execute(service.db);
  await sql`create trigger fail_writes before insert on ${sql.table(table)} for each row execute function fail_writes()`.execute(
    service.db,
  );
  return async () => {
    await sql`drop function fail_writes cascade`.execute(service.db);
  };
}

const newUser = () => ({ ...HUMAN, userName: `ada-${++count}` });

async function countUsers(userName: string): Promise<number> {
  const rows = await service.db.selectFrom("users").select("id").where("user_name", "=", userName).execute();
  return rows.length;
}

describe.each([
  ["ABORTED", CONFLICT, 2],
  ["UNAVAILABLE", STARTING_UP, 1],
] as const)("an import that fails with %s", (reason, sqlstate, perAttempt) => {
  test("is repeated with the same key, and creates one user", async () => {
    const restore = await failWrites("users", sqlstate, perAttempt);
    const user = newUser();
    try {
      const { userId } = await createClient().management.importHumanUser(user);
      expect(userId).toMatch(/^[0-9a-f-]{36}$/);
    } finally {
      await restore();
    }
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
    expect(await countUsers(user.userName)).toBe(1);
  });

  test("fails with the last error after the last attempt", async () => {
    const restore = await failWrites("users", sqlstate, 1_000);
    try {
      const error = await createClient({ retry: { backoffMs: 20, maxAttempts: 2 } })
        .management.importHumanUser(newUser())
        .catch(readError);
      expect(error).toMatchObject({ reason, retryDelayMs: reason === "ABORTED" ? 100 : 1_000 });
    } finally {
      await restore();
    }
    expect(keys).toHaveLength(2);
  });
});

test("a call is not repeated if the service requests a longer delay than allowed, or if retries are off", async () => {
  const restore = await failWrites("users", STARTING_UP, 1_000);
  try {
    for (const retry of [{ maxDelayMs: 999 }, false] as const) {
      keys = [];
      const error = await createClient({ retry }).management.importHumanUser(newUser()).catch(readError);
      expect(error).toMatchObject({ code: Code.Unavailable, reason: Reason.UNAVAILABLE });
      expect(keys).toHaveLength(1);
    }
  } finally {
    await restore();
  }
});

test("a wait ends when the deadline has passed, or when the caller cancels", async () => {
  const restore = await failWrites("users", STARTING_UP, 1_000);
  try {
    const controller = new AbortController();
    let failures = 0;
    let cancel = () => {};
    const noteFailure: Interceptor = (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        if (readError(error).reason === Reason.UNAVAILABLE) failures += 1;
        setImmediate(cancel);
        throw error;
      }
    };
    // The wait is longer than the test may take.
    const retry = { backoffMs: 1_000_000, maxDelayMs: 1_000_000 };
    const { management } = createClient({ retry, interceptors: [recordKeys, noteFailure] });
    // On a busy machine, a short deadline can pass before the first failure.
    for (let timeoutMs = 500; failures === 0; timeoutMs *= 2) {
      keys = [];
      const late = await management.importHumanUser(newUser(), { timeoutMs }).catch(readError);
      expect(late).toMatchObject({ code: Code.DeadlineExceeded });
      if (failures > 0) expect(late).toHaveProperty("reason", undefined);
    }
    cancel = () => controller.abort();
    const call = management.importHumanUser(newUser(), { signal: controller.signal }).catch(readError);
    expect(await call).toMatchObject({ code: Code.Canceled });
    expect(keys).toHaveLength(2);
  } finally {
    await restore();
  }
});

test("a rejected call is not repeated, and all of its details are decoded", async () => {
  const { management } = createClient();
  const user = newUser();
  const { userId } = await management.importHumanUser(user);
  const taken = await management.importHumanUser(user).catch(readError);
  expect(taken).toMatchObject({
    code: Code.AlreadyExists,
    reason: Reason.USER_NAME_TAKEN,
    metadata: { field: "userName", userId },
    violations: [],
    retryDelayMs: undefined,
    requestId: expect.stringMatching(/./),
  });
  const invalid = await management.importHumanUser({ userName: "", profile: { firstName: "Ada" } }).catch(readError);
  expect(invalid).toHaveProperty("reason", Reason.INVALID_ARGUMENT);
  expect(invalid).toHaveProperty(
    "violations",
    expect.arrayContaining([{ field: "profile.lastName", description: expect.stringMatching(/./) }]),
  );
  expect(new Set(keys).size).toBe(3);
  expect(keys).toHaveLength(3);
});

test("a call that only reads has no key, and a key of the caller is kept", async () => {
  const { management } = createClient();
  await management.getMyOrg({});
  const options = { headers: { "idempotency-key": "import-1" } };
  const user = newUser();
  const first = await management.importHumanUser(user, options);
  expect(await management.importHumanUser(user, options)).toEqual(first);
  expect(keys).toEqual([null, "import-1", "import-1"]);
});

test("the token may come from a function, and calls use the client's organization by default", async () => {
  const orgId = await service.createOrg("Example");
  const { management } = createClient({ token: async () => service.adminToken, orgId });
  expect((await management.getMyOrg({})).org?.id).toBe(orgId);
  const options = { headers: { "x-service-orgid": service.orgId } };
  expect((await management.getMyOrg({}, options)).org?.id).toBe(service.orgId);
});

test("an error of the token function ends the call immediately", async () => {
  const token = () => Promise.reject(new TypeError("nobody is signed in"));
  await expect(createClient({ token }).management.getMyOrg({})).rejects.toThrow("nobody is signed in");
  expect(keys).toEqual([]);
});

test("the client for browsers makes the same calls over gRPC-Web", async () => {
  const { management } = createWebClient({
    baseUrl: service.origin,
    token: service.adminToken,
    retry: { backoffMs: 20 },
    interceptors: [recordKeys],
  });
  const restore = await failWrites("users", CONFLICT, 2);
  const user = newUser();
  try {
    await management.importHumanUser(user);
  } finally {
    await restore();
  }
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  expect(await management.importHumanUser(user).catch(readError)).toMatchObject({ reason: Reason.USER_NAME_TAKEN });
});

/** In a process of its own, because Connect does not recognize Node's errors in Jest. */
test("an import whose response is lost is repeated, and creates one user", async () => {
  const user = newUser();
  let connections = 0;
  const proxy = createServer((client) => {
    connections += 1;
    const server = connect(service.port, "127.0.0.1");
    for (const socket of [client, server]) socket.on("error", () => {});
    client.once("close", () => server.destroy());
    client.pipe(server);
    if (connections > 1) server.pipe(client);
    else void untilImported(user.userName).then(() => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const child = spawn(process.execPath, [fileURLToPath(new URL("./import-user.ts", import.meta.url))], {
    env: {
      SIGNET_URL: `http://127.0.0.1:${port}`,
      SIGNET_TOKEN: service.adminToken,
      SIGNET_USER: JSON.stringify(user),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await once(child, "close");
  proxy.close();
  const { id } = await service.db
    .selectFrom("users")
    .select("id")
    .where("user_name", "=", user.userName)
    .executeTakeFirstOrThrow();
  expect(output).toBe(`${id} after 2 attempts\n`);
  expect(connections).toBe(2);
});

async function untilImported(userName: string): Promise<void> {
  while ((await countUsers(userName)) === 0) await new Promise((done) => setTimeout(done, 20));
}
