import { once } from "node:events";
import { type ClientHttp2Stream, connect } from "node:http2";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { sql } from "kysely";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import {
  WatchEventsRequestSchema,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "../../gen/signet/v1/event_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { revokeToken } from "../../src/access/revoke-token.ts";
import { type Caller, createCaller } from "../support/clients/callers.ts";
import { frame } from "../support/clients/raw-calls.ts";
import { HUMAN } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const TRANSPORTS: Readonly<Record<string, (baseUrl: string) => Transport>> = {
  grpc: (baseUrl) => createGrpcTransport({ baseUrl }),
  "grpc-web": (baseUrl) => createGrpcWebTransport({ baseUrl }),
  "connect over HTTP/1.1": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  "connect over HTTP/2": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: false }),
};
const PATH = "/signet.v1.ManagementService/WatchEvents";
const TIMES = { heartbeatMs: 50, recheckMs: 20, pollMs: 5 };

type Scope = "org" | "instance";

describe("WatchEvents", () => {
  let service: TestService;
  let transport: Transport;
  let caller: Caller;
  let otherId: string;
  let count = 0;

  beforeAll(async () => {
    service = await startService("postgres", {}, { watchTimes: TIMES });
    transport = createGrpcTransport({ baseUrl: service.origin });
    caller = createCaller("grpc", service, service.adminToken);
    otherId = await service.createOrg("Other");
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  async function importInto(orgId: string): Promise<string> {
    count += 1;
    const outcome = await caller.call(
      "ImportHumanUser",
      { userName: `ada-${count}`, ...HUMAN },
      { "x-service-orgid": orgId },
    );
    if (!outcome.ok) throw new Error(outcome.message);
    return String(outcome.message.userId);
  }

  /** Appends events of a type to the organization, and returns their positions. */
  async function append(amount: number, type: string): Promise<bigint[]> {
    const { rows } = await sql<{ position: string }>`
      insert into events (owner_id, aggregate_id, sequence, type, created_at, payload)
      select ${service.orgId}::uuid, gen_random_uuid(), n, ${type}, now(), jsonb_build_object('firstName', repeat('a', 500))
      from generate_series(1, ${sql.lit(amount)}) as n
      returning position`.execute(service.db);
    return rows.map(({ position }) => BigInt(position)).sort((a, b) => (a < b ? -1 : 1));
  }

  interface Watch {
    /** The next event that is not a heartbeat. */
    event(): Promise<WatchEventsResponse>;
    heartbeat(): Promise<WatchEventsResponse>;
    /** The error with which the stream ends. */
    end(): Promise<ConnectError | undefined>;
    cancel(): void;
  }

  function watch(
    transport: Transport,
    scope: Scope,
    request: MessageInitShape<typeof WatchEventsRequestSchema>,
    { token = service.adminToken, orgId = service.orgId } = {},
  ): Watch {
    const control = new AbortController();
    const client = createClient(scope === "org" ? ManagementService : AdminService, transport);
    const headers = { authorization: `Bearer ${token}`, "x-service-orgid": orgId };
    const responses = client.watchEvents(request, { headers, signal: control.signal })[Symbol.asyncIterator]();
    const next = async (isWanted: (response: WatchEventsResponse) => boolean) => {
      for (;;) {
        const { done, value } = await responses.next();
        if (done) throw new Error("the stream has ended");
        if (isWanted(value)) return value;
      }
    };
    return {
      event: () => next(({ event }) => event !== undefined),
      heartbeat: () => next(({ event }) => event === undefined),
      async end() {
        try {
          while (!(await responses.next()).done);
          return undefined;
        } catch (error) {
          return ConnectError.from(error);
        }
      },
      cancel: () => control.abort(),
    };
  }

  test.each(Object.entries(TRANSPORTS))(
    "over %s, sends the events after a position, then those that are recorded",
    async (_name, create) => {
      const other = create(service.origin);
      const userId = await importInto(service.orgId);
      const watched = watch(other, "org", { afterPosition: 0n, eventTypes: ["org.added", "user.human.added"] });
      expect((await watched.event()).event).toMatchObject({
        type: { type: "org.added" },
        aggregate: { id: service.orgId, type: { type: "org" }, resourceOwner: service.orgId },
        payload: { name: "default" },
      });
      let last = await watched.event();
      while (last.event?.aggregate?.id !== userId) last = await watched.event();
      const later = await importInto(service.orgId);
      const next = await watched.event();
      expect(next.event).toMatchObject({ aggregate: { id: later }, editor: { displayName: "admin" } });
      expect(next.position).toBe(next.event?.sequence);
      expect(next.position).toBeGreaterThan(last.position);
      watched.cancel();

      const resumed = watch(other, "org", { afterPosition: last.position, eventTypes: ["user.human.added"] });
      expect((await resumed.event()).event?.aggregate?.id).toBe(later);
      resumed.cancel();
    },
  );

  test("sends many events at once, in order and without a gap", async () => {
    const type = "user.human.profile.changed";
    const watched = watch(transport, "org", { eventTypes: [type] });
    await watched.heartbeat();
    const positions = await append(300, type);
    const received: bigint[] = [];
    while (received.length < positions.length) {
      const { event, position } = await watched.event();
      expect(event?.payload).toEqual({ firstName: "a".repeat(500) });
      received.push(position);
    }
    expect(received).toEqual(positions);
    watched.cancel();
  });

  test("sends the events of one organization, or of all", async () => {
    const own = watch(transport, "org", {});
    const all = watch(transport, "instance", {});
    await Promise.all([own.heartbeat(), all.heartbeat()]);
    const foreign = await importInto(otherId);
    const userId = await importInto(service.orgId);
    expect((await own.event()).event?.aggregate?.id).toBe(userId);
    expect((await all.event()).event?.aggregate).toMatchObject({ id: foreign, resourceOwner: otherId });
    own.cancel();
    all.cancel();
  });

  test("sends heartbeats with the position up to which all events were sent", async () => {
    const watched = watch(transport, "org", { eventTypes: ["org.added"] });
    const first = await watched.heartbeat();
    await importInto(service.orgId);
    const later = await until("a later position", async () => {
      const { position } = await watched.heartbeat();
      return position > first.position && position;
    });
    const { events } = await watchedEvents(first.position, later);
    expect(events).toContain("user.human.added");
    watched.cancel();
  });

  test("sends no payload of a removed user, also from a position before the removal", async () => {
    const eventTypes = ["user.human.added", "user.removed"];
    const watched = watch(transport, "org", { eventTypes });
    const { position } = await watched.heartbeat();
    await importInto(service.orgId);
    const userId = await importInto(service.orgId);
    expect((await watched.event()).event?.payload).toMatchObject({ firstName: "Ada" });
    expect((await watched.event()).event).toMatchObject({ aggregate: { id: userId }, payload: { firstName: "Ada" } });
    await caller.call("RemoveUser", { id: userId }, { "x-service-orgid": service.orgId });
    expect((await watched.event()).event).toMatchObject({ aggregate: { id: userId }, payload: {} });

    const later = watch(transport, "org", { afterPosition: position, eventTypes });
    expect((await later.event()).event?.payload).toMatchObject({ firstName: "Ada" });
    const erased = await later.event();
    expect([erased.event?.aggregate?.id, erased.event?.payload]).toEqual([userId, undefined]);
    watched.cancel();
    later.cancel();
  });

  test("rejects a caller without a token or a permission, and an invalid request", async () => {
    const invalid = await watch(transport, "org", {}, { token: "none" }).end();
    expect(invalid?.code).toBe(Code.Unauthenticated);
    const { token } = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
    expect((await watch(transport, "instance", {}, { token }).end())?.code).toBe(Code.PermissionDenied);
    expect((await watch(transport, "org", {}, { token, orgId: otherId }).end())?.code).toBe(Code.PermissionDenied);
    const tooLarge = await watch(transport, "org", { afterPosition: 2n ** 63n }).end();
    expect([tooLarge?.code, tooLarge?.message]).toEqual([
      Code.InvalidArgument,
      expect.stringContaining("afterPosition"),
    ]);
  });

  test("ends once the token is revoked", async () => {
    const { id, token } = await service.createToken({ orgId: service.orgId, role: "ORG_VIEWER" });
    const watched = watch(transport, "org", {}, { token });
    await watched.heartbeat();
    await revokeToken({ db: service.db, clock: service.clock }, id);
    expect((await watched.end())?.code).toBe(Code.Unauthenticated);
  });

  async function watchedEvents(after: bigint, last: bigint) {
    const rows = await service.db
      .selectFrom("events")
      .select("type")
      .where("position", ">", after)
      .where("position", "<=", last)
      .execute();
    return { events: rows.map(({ type }) => type) };
  }

  test("the events of a removed organization are those of ListEvents", async () => {
    const watched = watch(transport, "instance", {});
    const { position } = await watched.heartbeat();
    const orgId = await service.createOrg("Closing");
    const userId = await importInto(orgId);
    while ((await watched.event()).event?.aggregate?.id !== userId);
    await caller.call("AdminService.RemoveOrg", { orgId, confirmName: "Closing" });
    await service.orgRemoval.removeDue();
    while ((await watched.event()).event?.type?.type !== "user.removed");

    const client = createClient(AdminService, transport);
    const headers = { authorization: `Bearer ${service.adminToken}` };
    const { events } = await client.listEvents({ sequence: position, asc: true }, { headers });
    expect(events.find(({ type }) => type?.type === "user.human.added")?.payload).toBeUndefined();
    const later = watch(transport, "instance", { afterPosition: position });
    for (const event of events) expect((await later.event()).event).toEqual(event);
    watched.cancel();
    later.cancel();
  });

  test("a client in text mode gets all events", async () => {
    const request = create(WatchEventsRequestSchema, { afterPosition: 0n, eventTypes: ["org.domain.added"] });
    const positions = await append(60, "org.domain.added");
    const response = await fetch(`${service.origin}${PATH}`, {
      method: "POST",
      headers: { "content-type": "application/grpc-web-text", authorization: `Bearer ${service.adminToken}` },
      body: frame(toBinary(WatchEventsRequestSchema, request)).toString("base64"),
    });
    let text = "";
    let received: WatchEventsResponse[] = [];
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString("latin1");
      // Padding may be anywhere between two groups of four characters.
      const groups = text.match(/.{4}/gs) ?? [];
      received = readMessages(Buffer.concat(groups.map((group) => Buffer.from(group, "base64"))));
      if (received.filter(({ event }) => event !== undefined).length >= positions.length) break;
    }
    const events = received.filter(({ event }) => event !== undefined);
    expect(events.map(({ position }) => position)).toEqual(positions);
  });

  test("a client that does not read holds up nobody, and gets the rest in order", async () => {
    const type = "user.human.phone.changed";
    const session = connect(service.origin);
    const slow = session.request({
      ":method": "POST",
      ":path": PATH,
      "content-type": "application/grpc",
      te: "trailers",
      authorization: `Bearer ${service.adminToken}`,
    });
    slow.end(frame(toBinary(WatchEventsRequestSchema, create(WatchEventsRequestSchema, { eventTypes: [type] }))));
    await once(slow, "response");
    const quick = watch(transport, "org", { eventTypes: [type] });
    await quick.heartbeat();
    // More than an HTTP/2 stream takes without its reader.
    const positions = await append(1_000, type);
    for (const position of positions) expect((await quick.event()).position).toBe(position);
    quick.cancel();
    const received = await readEvents(slow, positions.length);
    expect(received.map(({ position }) => position)).toEqual(positions);
    session.destroy();
  });

  test("ends once the role is revoked", async () => {
    const { token, userId } = await service.createToken({ orgId: service.orgId, role: "ORG_VIEWER" });
    const watched = watch(transport, "org", {}, { token });
    await watched.heartbeat();
    await caller.call("RemoveOrgMember", { userId }, { "x-service-orgid": service.orgId });
    expect((await watched.end())?.code).toBe(Code.PermissionDenied);
  });

  test("a client that loads the proto files gets the events", async () => {
    const definition = loadSync("signet/v1/management.proto", { includeDirs: ["proto"], longs: String });
    const Client = grpc.makeGenericClientConstructor(
      definition["signet.v1.ManagementService"] as grpc.ServiceDefinition,
      "ManagementService",
    );
    const client = new Client(`127.0.0.1:${service.port}`, grpc.credentials.createInsecure());
    const metadata = new grpc.Metadata();
    metadata.set("authorization", `Bearer ${service.adminToken}`);
    // biome-ignore lint/suspicious/noExplicitAny: the client gets its methods from the .proto at run time
    const stream: grpc.ClientReadableStream<{ event?: { type: { type: string } } }> = (client as any).WatchEvents(
      { afterPosition: "0" },
      metadata,
    );
    stream.on("error", () => {});
    for await (const { event } of stream) {
      if (event?.type.type === "org.added") break;
    }
    client.close();
  });

  test("the open streams of a user are bounded", async () => {
    const { token } = await service.createToken({ orgId: service.orgId, role: "ORG_VIEWER" });
    const transport = createGrpcTransport({ baseUrl: service.origin });
    const open = Array.from({ length: 100 }, () => watch(transport, "org", {}, { token }));
    await Promise.all(open.map((watched) => watched.heartbeat()));
    const refused = await watch(transport, "org", {}, { token }).end();
    expect([refused?.code, refused?.message]).toEqual([Code.ResourceExhausted, expect.stringContaining("streams")]);
    for (const watched of open) watched.cancel();
    const again = await until("a stream is free", async () => {
      const watched = watch(transport, "org", {}, { token });
      return watched.heartbeat().then(
        () => watched,
        () => false as const,
      );
    });
    again.cancel();
  });

  test("the log has a line for a stream that has ended", async () => {
    const watched = watch(transport, "org", {});
    await watched.heartbeat();
    watched.cancel();
    await until("the line is there", () =>
      service.logs.some(
        ({ method, code }) => method === "signet.v1.ManagementService/WatchEvents" && code === "canceled",
      ),
    );
  });
});

test("the open streams of the users of an organization are bounded", async () => {
  const service = await startService("postgres", {}, { watchTimes: TIMES, watchBudgets: { streamsPerOrg: 2 } });
  const transport = createGrpcTransport({ baseUrl: service.origin });
  /** Opens a stream of a new user with a role in the organization. */
  const open = async (orgId: string) => {
    const { token } = await service.createToken({ orgId, role: "ORG_VIEWER" });
    const control = new AbortController();
    const options = { headers: { authorization: `Bearer ${token}` }, signal: control.signal };
    const responses = createClient(ManagementService, transport).watchEvents({}, options)[Symbol.asyncIterator]();
    const refusal = await responses.next().then(
      () => undefined,
      (error) => ConnectError.from(error),
    );
    return { refusal, control };
  };
  const first = await open(service.orgId);
  const second = await open(service.orgId);
  expect([first.refusal, second.refusal]).toEqual([undefined, undefined]);
  const { refusal } = await open(service.orgId);
  expect([refusal?.code, refusal?.message]).toEqual([
    Code.ResourceExhausted,
    expect.stringContaining("streams of users of the organization"),
  ]);
  const other = await open(await service.createOrg("Other"));
  expect(other.refusal).toBeUndefined();
  first.control.abort();
  const again = await until("a stream is free", async () => {
    const tried = await open(service.orgId);
    return tried.refusal === undefined && tried;
  });
  for (const { control } of [second, other, again]) control.abort();
  await service.close();
});

test("streams end with UNAVAILABLE when the service drains", async () => {
  const service = await startService("postgres", {}, { watchTimes: TIMES });
  const streams = Object.values(TRANSPORTS).map((create) => {
    const client = createClient(ManagementService, create(service.origin));
    const responses = client.watchEvents({}, { headers: { authorization: `Bearer ${service.adminToken}` } });
    return responses[Symbol.asyncIterator]();
  });
  await Promise.all(streams.map((stream) => stream.next()));
  const ends = streams.map(async (stream) => {
    try {
      while (!(await stream.next()).done);
      return undefined;
    } catch (error) {
      return ConnectError.from(error).code;
    }
  });
  service.beginDrain();
  expect(await Promise.all(ends)).toEqual(streams.map(() => Code.Unavailable));
  await service.close();
});

/** The messages in the bytes of a stream, without one that is not complete. */
function readMessages(bytes: Buffer): WatchEventsResponse[] {
  const messages: WatchEventsResponse[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) break;
    messages.push(fromBinary(WatchEventsResponseSchema, bytes.subarray(at + 5, end)));
    at = end;
  }
  return messages;
}

async function readEvents(stream: ClientHttp2Stream, count: number): Promise<WatchEventsResponse[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    const events = readMessages(Buffer.concat(chunks)).filter(({ event }) => event !== undefined);
    if (events.length >= count) return events;
  }
  throw new Error("the stream has ended");
}
