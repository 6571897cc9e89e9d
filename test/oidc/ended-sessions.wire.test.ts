import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@bufbuild/protobuf";
import { decodeJwt, type JWTPayload } from "jose";
import type * as client from "openid-client";
import { USER_SEALED } from "../../src/users/user-sealed.ts";
import { createPerson, type Person } from "../support/browsers/person.ts";
import { call, importAda, lastReceived, VISITED } from "../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { createRecordedMetrics } from "../support/telemetry/recorded-metrics.ts";
import { until } from "../support/until.ts";
import { formOf } from "../web/account/account-scene.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const ACCOUNT = "/ui/account";

describe("applications are notified", () => {
  let service: TestService;
  let server: Server;
  let app: RelyingParty;
  let received: JWTPayload[] = [];
  let names = 0;
  const metrics = createRecordedMetrics();

  beforeAll(async () => {
    service = await startService("postgres", VISITED, { metrics });
    for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
    server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      received.push(decodeJwt(new URLSearchParams(body).get("logout_token") ?? ""));
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const back_channel_logout_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    app = await createRelyingParty(service, { owner_id: service.instanceId, back_channel_logout_uri });
  });
  beforeEach(() => {
    received = [];
    metrics.logouts.length = 0;
  });
  afterAll(async () => {
    server.close();
    await service?.close();
  });

  type Tokens = client.TokenEndpointResponse & { claims(): { sid?: unknown } | undefined };

  /** Signs in to the application. The session is also that of the account page. */
  async function signIn(person: Person, username: string): Promise<Tokens> {
    const request = createRequest(app);
    const page = await person.open(request.url);
    const { url } = await person.submit(page, { username, password: PASSWORD });
    return (await redeem(service, app, url, request)) as Tokens;
  }

  async function newUser() {
    const userName = `user-${++names}`;
    const email = { email: "ada@example.com", isEmailVerified: true };
    const userId = await importAda(service, { userName, password: PASSWORD, email });
    return { userId, userName };
  }

  const addPasskey = (userId: string) =>
    service.db
      .insertInto("passkeys")
      .values({
        org_id: service.orgId,
        id: `passkey-${userId}`,
        user_id: userId,
        public_key: Buffer.from("key"),
        counter: 0n,
        transports: [],
        aaguid: "00000000-0000-0000-0000-000000000000",
        device_type: "multiDevice",
        backed_up: true,
        created_at: new Date(),
      })
      .execute();

  interface Situation {
    readonly userId: string;
    readonly userName: string;
    readonly person: Person;
  }

  const ends: Record<string, (situation: Situation) => unknown> = {
    "the user is deactivated": ({ userId }) => call(service, "DeactivateUser", { id: userId }),
    "the user is locked": ({ userId }) => call(service, "LockUser", { id: userId }),
    "the user is removed": ({ userId }) => call(service, "RemoveUser", { id: userId }),
    "an administrator sets the password": ({ userId }) =>
      call(service, "SetHumanPassword", { userId, password: NEW_PASSWORD }),
    "an administrator ends the sessions": ({ userId }) => call(service, "EndUserSessions", { userId }),
    "the person signs out": async ({ person }) =>
      person.submit(formOf(await person.open(ACCOUNT), `${ACCOUNT}/sign-out`), {}),
    "the person sets a forgotten password": async ({ userId, userName }) => {
      const other = createPerson(service);
      const page = await other.open(createRequest(app).url);
      const path = /formaction="([^"]*forgotten[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
      await other.submit(await other.open(path), { username: userName });
      const link = await other.open((await lastReceived(service, userId, "password")).path);
      const done = await other.submit(link, { password: NEW_PASSWORD, repeat: NEW_PASSWORD });
      expect(done.status).toBe(200);
    },
  };

  test.each(Object.keys(ends))("when %s", async (what) => {
    const user = await newUser();
    const person = createPerson(service);
    const tokens = await signIn(person, user.userName);
    await ends[what]?.({ ...user, person });
    const [logout, ...others] = await until("the application is notified", () => received.length > 0 && received);
    expect(logout).toMatchObject({ aud: app.id, sub: user.userId, sid: tokens.claims()?.sid });
    await until("it is counted", () => metrics.logouts.length > 0);
    expect(metrics.logouts).toEqual(["success"]);
    expect(others).toEqual([]);
  });

  test("when an administrator ends a session, of this one only", async () => {
    const { userId, userName } = await newUser();
    const [person, elsewhere] = [createPerson(service), createPerson(service)];
    const kept = await signIn(person, userName);
    service.clockOffsetMs += 2_000;
    const ended = await signIn(elsewhere, userName);
    const list = async () => (await call(service, "ListUserSessions", { userId })).result as JsonObject[];
    const sessions = await list();
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toMatchObject({
      methods: ["pwd"],
      appIds: [app.id],
      details: { resourceOwner: service.orgId },
    });
    // The most recently used first.
    const [{ id } = { id: "" }] = sessions;
    await call(service, "EndUserSessions", { userId, sessionIds: [String(id), "unknown"] });
    await until("the application is notified", () => received.length > 0);
    expect(received.map(({ sid }) => sid)).toEqual([ended.claims()?.sid]);
    expect((await list()).map((session) => session.id)).toEqual([sessions[1]?.id]);
    const userinfo = ({ access_token }: Tokens) =>
      fetch(`${service.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
    expect((await userinfo(ended)).status).toBe(401);
    expect((await userinfo(kept)).status).toBe(200);
    // Ids of no session, or of another user's, change nothing.
    const other = await newUser();
    const before = await call(service, "GetUserByID", { id: other.userId });
    await call(service, "EndUserSessions", { userId: other.userId, sessionIds: [String(sessions[1]?.id)] });
    expect(await call(service, "GetUserByID", { id: other.userId })).toEqual(before);
    expect((await userinfo(kept)).status).toBe(200);
  });

  test("when an administrator removes the one-time codes", async () => {
    const { userId, userName } = await newUser();
    const person = createPerson(service);
    await signIn(person, userName);
    const { keyId, ciphertext } = service.keyring.seal({ ...USER_SEALED, rowId: userId }, "JBSWY3DPEHPK3PXPJBSWY3DP");
    const stored = { otp_code: ciphertext, otp_code_key: keyId };
    await service.db.updateTable("users").set(stored).where("id", "=", userId).execute();
    const factors = async () => (await call(service, "ListHumanAuthFactors", { userId })).result ?? [];
    expect(await factors()).toEqual([{ state: "AUTH_FACTOR_STATE_READY", otp: {} }]);
    await call(service, "RemoveHumanAuthFactorOTP", { userId });
    await until("the application is notified", () => received.length > 0);
    expect(await factors()).toEqual([]);
    await expect(call(service, "RemoveHumanAuthFactorOTP", { userId })).rejects.toThrow("no one-time codes");
  });

  const ownChanges: Record<string, (person: Person, userId: string) => Promise<unknown>> = {
    "changes the password": async (person) => {
      const form = await person.open(`${ACCOUNT}/password`);
      const done = await person.submit(form, { current: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD });
      expect(done.status).toBe(200);
    },
    "removes a passkey": async (person, userId) => {
      await addPasskey(userId);
      const removed = await person.submit(await person.open(`${ACCOUNT}/passkeys/remove?id=passkey-${userId}`), {});
      expect(removed.title).toBe("Your account");
    },
  };

  test.each(Object.keys(ownChanges))("when the user %s, of the sessions in other browsers only", async (what) => {
    const { userId, userName } = await newUser();
    const [person, elsewhere] = [createPerson(service), createPerson(service)];
    await signIn(person, userName);
    const ended = await signIn(elsewhere, userName);
    await ownChanges[what]?.(person, userId);
    await until("the application is notified", () => received.length > 0);
    expect(received.map(({ sid }) => sid)).toEqual([ended.claims()?.sid]);
  });

  test("and nothing is printed", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    const { userId, userName } = await newUser();
    await signIn(createPerson(service), userName);
    await call(service, "LockUser", { id: userId });
    await until("the application is notified", () => received.length > 0);
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });
});

test("an application that cannot be notified is counted, and a warning in the log, and the session ends", async () => {
  const metrics = createRecordedMetrics();
  const service = await startService("postgres", VISITED, { metrics });
  service.secret(PASSWORD);
  const back_channel_logout_uri = "http://127.0.0.1:1/";
  const app = await createRelyingParty(service, { owner_id: service.orgId, back_channel_logout_uri });
  const email = { email: "ada@example.com", isEmailVerified: true };
  const userId = await importAda(service, { userName: "ada", password: PASSWORD, email });
  const person = createPerson(service);
  const request = createRequest(app);
  const { url } = await person.submit(await person.open(request.url), { username: "ada", password: PASSWORD });
  await redeem(service, app, url, request);
  await call(service, "LockUser", { id: userId });
  const line = await until("the failure is logged", () =>
    service.logs.find(({ msg }) => msg === "an application could not be notified of a sign-out"),
  );
  expect(JSON.stringify(line)).toContain(app.id);
  expect(metrics.logouts).toEqual(["failure"]);
  expect(await service.sessions.list(userId)).toEqual({ sessions: [], total: 0, apps: [] });
  await service.close();
});
