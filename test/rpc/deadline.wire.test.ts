import { connect } from "node:net";
import {
  askHttp1,
  askHttp2,
  type Connections,
  countRows,
  frame,
  human,
  importBody,
  openConnections,
  openHttp2,
  RAW_PROTOCOLS,
  type RawProtocol,
  type RawResponse,
  rawRequest,
  readResponse,
} from "../support/clients/raw-calls.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

let service: TestService;
let connections: Connections;
let names = 0;
const newName = () => `user-${++names}`;

beforeAll(async () => {
  // One thread, so that passwords are hashed one after another, in call order. No call reaches the service's own limit.
  const REQUEST_TIMEOUT_MS = "300000";
  service = await startService("postgres", { BCRYPT_COST: "10", HASH_THREADS: "1", REQUEST_TIMEOUT_MS });
  connections = openConnections(service.port);
});
afterAll(async () => {
  connections.close();
  await service.close();
});

const tokenOf = ({ adminToken }: TestService) => ({ authorization: `Bearer ${adminToken}` });
const withPassword = (name: string) => human(name, { password: "correct horse battery" });
const exceeded = (protocol: RawProtocol) => ({
  http: protocol.startsWith("grpc") ? 200 : 504,
  code: 4,
  reason: "DEADLINE_EXCEEDED",
});

/** Sends over a new connection. */
async function ask(
  to: TestService,
  protocol: RawProtocol,
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<RawResponse> {
  const own = openConnections(to.port);
  try {
    return await own.ask(protocol, rawRequest(protocol, body, { ...tokenOf(to), ...headers }));
  } finally {
    own.close();
  }
}

/** Keeps the hashing thread busy. Resolves once these imports, and all before them, are stored. */
async function hashMany(count: number): Promise<void> {
  const responses = await Promise.all(
    Array.from({ length: count }, () => ask(service, "rest", importBody("rest", withPassword(newName())))),
  );
  expect(responses.map(({ code }) => code)).toEqual(responses.map(() => 0));
}

/**
 * Runs something while other passwords are hashed, until its result is a proof and it has ended before they have. The
 * number of passwords grows, because a busy machine can be late.
 */
async function whileHashing<T>(run: () => Promise<T>, isProof: (result: T) => boolean): Promise<T> {
  for (const count of [4, 8, 16, 32, 60]) {
    let isHashing = true;
    const hashed = hashMany(count).finally(() => {
      isHashing = false;
    });
    const result = await run();
    const isEarly = isHashing;
    await hashed;
    if (isEarly && isProof(result)) return result;
  }
  throw new Error("no call ended as expected while its password waited to be hashed");
}

/** Connections of each service to its database. */
const POOL_SIZE = 16;

/** Leaves the service one connection to its database, so that it checks tokens in the order of arrival. */
async function withOneConnection<T>(to: TestService, act: () => Promise<T>): Promise<T> {
  const { promise: done, resolve: release } = Promise.withResolvers<void>();
  const taken = Array.from({ length: POOL_SIZE - 1 }, () => Promise.withResolvers<void>());
  const held = taken.map(({ resolve }) =>
    to.db.connection().execute(async () => {
      resolve();
      await done;
    }),
  );
  try {
    await Promise.all(taken.map(({ promise }) => promise));
    return await act();
  } finally {
    release();
    await Promise.all(held);
  }
}

async function isStored(to: TestService, name: string): Promise<boolean> {
  return (await to.db.selectFrom("users").select("id").where("user_name", "=", name).execute()).length > 0;
}

describe.each(["grpc", "grpc-web"] as const)("grpc-timeout over %s", (protocol) => {
  const askWith = (timeout: string) =>
    connections.ask(
      protocol,
      rawRequest(protocol, importBody(protocol, human(newName())), { ...tokenOf(service), "grpc-timeout": timeout }),
    );

  // PROTOCOL-HTTP2.md: a "positive integer as ASCII string of at most 8 digits", and one of H, M, S, m, u, n.
  test.each([
    "1H",
    "99999999H",
    "1M",
    "99999999M",
    "60S",
    "99999999S",
    "60000m",
    "99999999m",
    "60000000u",
    "99999999u",
  ])("of %s is long enough", async (timeout) => {
    expect(await askWith(timeout)).toMatchObject({ code: 0 });
  });

  test.each(["1u", "1n", "99999n", "0S", "0H"])("of %s ends before the response is ready", async (timeout) => {
    const before = await countRows(service.db);
    expect(await askWith(timeout)).toMatchObject(exceeded(protocol));
    expect(await countRows(service.db)).toBe(before);
  });

  test.each(["", "1", "S", "1s", "-1S", "1.5S", "123456789S", "1 S", "1S1S", "0x1S", "soon"])(
    "of %j is rejected",
    async (timeout) => {
      const before = await countRows(service.db);
      expect(await askWith(timeout)).toMatchObject({ http: 200, code: 3 });
      expect(await countRows(service.db)).toBe(before);
    },
  );
});

describe.each(["connect-json", "connect-proto"] as const)("connect-timeout-ms over %s", (protocol) => {
  const askWith = (timeout: string) =>
    ask(service, protocol, importBody(protocol, human(newName())), { "connect-timeout-ms": timeout });

  test.each(["60000", "9999999999"])("of %s is long enough", async (timeout) => {
    expect(await askWith(timeout)).toMatchObject({ code: 0 });
  });

  test("of 0 ends before the response is ready", async () => {
    expect(await askWith("0")).toMatchObject(exceeded(protocol));
  });

  test.each(["", "-1", "1.5", "10000000000", "1S"])("of %j is rejected", async (timeout) => {
    expect(await askWith(timeout)).toMatchObject({ http: 400, code: 3 });
  });
});

describe.each(RAW_PROTOCOLS.filter((protocol) => protocol !== "rest"))("a caller's deadline over %s", (protocol) => {
  const header = protocol.startsWith("grpc") ? "grpc-timeout" : "connect-timeout-ms";
  const timeout = (ms: number) => ({ [header]: protocol.startsWith("grpc") ? `${ms}m` : String(ms) });

  test("of a millisecond ends an import with a password, and no user is stored", async () => {
    const name = newName();
    expect(await ask(service, protocol, importBody(protocol, withPassword(name)), timeout(1))).toMatchObject(
      exceeded(protocol),
    );
    await hashMany(1);
    expect(await isStored(service, name)).toBe(false);
  });

  test("that expires while a password waits to be hashed ends the call, and no user is stored", async () => {
    const importOne = async () => {
      const name = newName();
      return { name, response: await ask(service, protocol, importBody(protocol, withPassword(name)), timeout(100)) };
    };
    const { name, response } = await whileHashing(importOne, ({ response }) => response.code !== 0);
    expect(response).toMatchObject(exceeded(protocol));
    await hashMany(1);
    expect(await isStored(service, name)).toBe(false);
  });

  test("ends a call with an endless body", async () => {
    const request = {
      ...rawRequest(protocol, importBody(protocol, human(newName())), { ...tokenOf(service), ...timeout(50) }),
    };
    const endless = { ...request, body: [(request.body as Buffer).subarray(0, 20)], endless: true };
    const response =
      protocol === "grpc" ? await askHttp2(connections.http2, endless) : await askHttp1(service.port, endless);
    // The service's own limit is longer than the time limit of this test.
    expect(await readResponse(protocol, response)).toMatchObject(exceeded(protocol));
  });
});

describe("REQUEST_TIMEOUT_MS", () => {
  let impatient: TestService;
  beforeAll(async () => {
    impatient = await startService("postgres", { BCRYPT_COST: "8", HASH_THREADS: "1", REQUEST_TIMEOUT_MS: "400" });
  });
  afterAll(() => impatient.close());

  test.each(["grpc", "rest"] as const)(
    "ends calls over %s that wait for hashes, and their users are not stored",
    async (protocol) => {
      // Their hashes take several times as long as the limit; a single one takes a twentieth of it.
      const calls = Array.from({ length: 60 }, () => newName()).map(async (name) => {
        const response = await ask(impatient, protocol, importBody(protocol, withPassword(name)));
        if (response.code !== 0) expect(response).toMatchObject(exceeded(protocol));
        return { name, succeeded: response.code === 0 };
      });
      const results = await Promise.all(calls);
      const ended = results.filter(({ succeeded }) => !succeeded).length;
      expect(ended).toBeGreaterThan(1);
      // Passwords are hashed in order: once a later one is hashed in time, those of the calls above are done.
      await until("a later hash is made in time", async () => {
        return (await ask(impatient, protocol, importBody(protocol, withPassword(newName())))).code === 0;
      });
      const stored = await Promise.all(results.map(({ name }) => isStored(impatient, name)));
      results.forEach(({ name, succeeded }, index) => {
        if (succeeded) expect([name, stored[index]]).toEqual([name, true]);
      });
      // A call may have had its hash in time and ended while its statement ran, which is completed. If none were ended
      // in the queue, all of them would be stored.
      const storedAfterAll = results.filter(({ succeeded }, index) => !succeeded && stored[index]);
      expect(storedAfterAll.length).toBeLessThan(ended / 2);
    },
  );

  test.each(RAW_PROTOCOLS)("ends a call over %s with an endless body", async (protocol) => {
    const before = await countRows(impatient.db);
    const request = rawRequest(protocol, importBody(protocol, human(newName())), tokenOf(impatient));
    const endless = { ...request, body: [(request.body as Buffer).subarray(0, 20)], endless: true };
    const session = openHttp2(impatient.port);
    const response = protocol === "grpc" ? await askHttp2(session, endless) : await askHttp1(impatient.port, endless);
    session.destroy();
    expect(await readResponse(protocol, response)).toMatchObject(exceeded(protocol));
    expect(await countRows(impatient.db)).toBe(before);
  });

  test("applies even if the caller has a longer deadline", async () => {
    const body = importBody("grpc", human(newName())).subarray(0, 20);
    const session = openHttp2(impatient.port);
    const request = rawRequest("grpc", body, { ...tokenOf(impatient), "grpc-timeout": "1H" });
    expect(await readResponse("grpc", await askHttp2(session, { ...request, endless: true }))).toMatchObject(
      exceeded("grpc"),
    );
    session.destroy();
  });
});

describe("a call that the caller cancels", () => {
  /** Expects that the action leads to exactly one log line of a canceled call. */
  async function expectCanceled(act: () => Promise<unknown>): Promise<void> {
    const canceled = () => service.logs.filter(({ code }) => code === "canceled").length;
    const before = canceled();
    await act();
    await until("a call is in the log as canceled", () => canceled() > before);
    expect(canceled()).toBe(before + 1);
    expect(service.logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  }

  const OVER_HTTP1 = RAW_PROTOCOLS.filter((protocol) => protocol !== "grpc");

  /** Writes the head of a request and a part of its body, and disconnects once the service has started the call. */
  async function leaveHttp1(
    protocol: RawProtocol,
    name: string,
    part: (body: Buffer) => Buffer,
    begun: () => Promise<unknown>,
    token = service.adminToken,
  ) {
    const authorization = `Bearer ${token}`;
    const {
      path,
      headers = {},
      body,
    } = rawRequest(protocol, importBody(protocol, withPassword(name)), { authorization });
    const socket = connect(service.port, "127.0.0.1").on("error", () => {});
    const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
    const bytes = body as Buffer;
    socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${bytes.length}\r\n${lines.join("")}\r\n`);
    socket.write(part(bytes));
    await begun();
    socket.resetAndDestroy();
  }

  /** Resolves once the token of a later call has been checked. */
  const laterCall = () => ask(service, "rest", Buffer.from("x"));

  test.each(OVER_HTTP1)("in the middle of the body over %s writes nothing", async (protocol) => {
    const before = await countRows(service.db);
    await expectCanceled(() => leaveHttp1(protocol, newName(), (body) => body.subarray(0, 20), laterCall));
    expect(await countRows(service.db)).toBe(before);
  });

  test.each(OVER_HTTP1)("while the password waits to be hashed over %s writes nothing", async (protocol) => {
    const { id, token } = await service.createToken({ orgId: service.orgId, role: "ORG_USER_MANAGER" });
    const lines = () => service.logs.filter(({ tokenId, code }) => tokenId === id || code === "canceled");
    const importAndLeave = async () => {
      const [name, count] = [newName(), lines().length];
      await leaveHttp1(protocol, name, (body) => body, laterCall, token);
      await until("the call has ended", () => lines().length > count);
      return {
        name,
        codes: lines()
          .slice(count)
          .map(({ code }) => code),
      };
    };
    const { name, codes } = await whileHashing(importAndLeave, ({ codes }) => codes[0] === "canceled");
    expect(codes).toEqual(["canceled"]);
    await hashMany(1);
    expect(await isStored(service, name)).toBe(false);
    expect(service.logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test.each([0x8, 0x0, 0x2])(
    "by RST_STREAM with code %i writes nothing, and the connection stays usable",
    async (code) => {
      const { http2 } = connections;
      // Calls over one connection arrive in order. Only the call that is reset uses gRPC.
      const askRest = async (body: Buffer) =>
        readResponse("rest", await askHttp2(http2, rawRequest("rest", body, tokenOf(service))));
      const linesOfGrpc = () => service.logs.filter(({ protocol }) => protocol === "grpc");

      /** @returns The name of the canceled import, or undefined if too few passwords were ahead of it to prove anything. */
      async function importAndLeave(ahead: number): Promise<string | undefined> {
        const name = newName();
        const count = linesOfGrpc().length;
        let isBusy = true;
        const busy = Promise.all(
          Array.from({ length: ahead }, () => askRest(importBody("rest", withPassword(newName())))),
        ).finally(() => {
          isBusy = false;
        });
        const {
          path,
          headers = {},
          body,
        } = rawRequest("grpc", importBody("grpc", withPassword(name)), tokenOf(service));
        const stream = http2.request({ ":method": "POST", ":path": path, ...headers }).on("error", () => {});
        stream.end(body);
        // The token of this call is checked last: by then the password waits to be hashed, behind the others.
        await askRest(Buffer.from("x"));
        stream.close(code);
        await until("the call has ended", () => linesOfGrpc().length > count);
        const isProof = isBusy;
        expect((await busy).map((response) => response.code)).toEqual(Array.from({ length: ahead }, () => 0));
        if (isProof) expect(linesOfGrpc().slice(count)).toMatchObject([{ code: "canceled" }]);
        return isProof ? name : undefined;
      }

      const name = await withOneConnection(service, async () => {
        for (let ahead = 4; ; ahead *= 2) {
          const proof = await importAndLeave(ahead);
          if (proof !== undefined) return proof;
        }
      });
      await hashMany(1);
      expect(await isStored(service, name)).toBe(false);
      const next = rawRequest("grpc", importBody("grpc", human(newName())), tokenOf(service));
      expect(await connections.ask("grpc", next)).toMatchObject({ code: 0 });
    },
  );

  test.each(["grpc", "connect-proto", "connect-json"] as const)(
    "by RST_STREAM before the end of the body over %s writes nothing, even if the message is complete",
    async (protocol) => {
      const before = await countRows(service.db);
      const body =
        protocol === "grpc"
          ? frame(importBody("connect-proto", human(newName())))
          : importBody(protocol, human(newName()));
      const { path, headers } = rawRequest(protocol, body, tokenOf(service));
      await expectCanceled(() => sendAndReset(service.port, { ":path": path, ...headers }, body, laterCall));
      expect(await countRows(service.db)).toBe(before);
    },
  );
});

/** Writes HTTP/2 frames itself, because Node's client ends the body before it resets the stream. */
async function sendAndReset(
  port: number,
  headers: Readonly<Record<string, string | string[]>>,
  body: Buffer,
  begun: () => Promise<unknown>,
): Promise<void> {
  const field = (text: string) => Buffer.concat([lengthOf(text), Buffer.from(text)]);
  // RFC 7541, sections 5.1 and 6.2.2: lengths below 127 take one byte.
  const lengthOf = (text: string) => {
    if (text.length >= 127) throw new Error("too long for a field of this test");
    return Buffer.of(text.length);
  };
  const all = { ":method": "POST", ":scheme": "http", ":authority": "a", ...headers };
  const block = Object.entries(all).map(([name, value]) =>
    Buffer.concat([Buffer.of(0), field(name), field(String(value))]),
  );
  const http2Frame = (type: number, flags: number, stream: number, payload: Buffer) => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  };
  const socket = connect(port, "127.0.0.1")
    .on("error", () => {})
    .resume();
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(http2Frame(4, 0, 0, Buffer.alloc(0)));
  socket.write(http2Frame(1, 4, 1, Buffer.concat(block)));
  socket.write(http2Frame(0, 0, 1, body));
  await begun();
  socket.write(http2Frame(3, 0, 1, Buffer.of(0, 0, 0, 8)));
  // Ends the connection after the reset, so that the end does not close the stream first.
  await new Promise((resolve) => socket.end(() => resolve(undefined)));
}
