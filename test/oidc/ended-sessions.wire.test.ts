import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { decodeJwt, type JWTPayload } from "jose";
import type * as client from "openid-client";
import { DATABASE_KINDS } from "../support/database.ts";
import { createPerson, type Person } from "../support/person.ts";
import { until } from "../support/process.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../support/relying-party.ts";
import { startService, type TestService } from "../support/service.ts";
import { call, importAda, lastReceived, VISITED } from "../support/visitor.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const ACCOUNT = "/ui/account";

describe.each(DATABASE_KINDS)("applications are notified on %s", (kind) => {
  let service: TestService;
  let server: Server;
  let app: RelyingParty;
  let received: JWTPayload[] = [];
  let names = 0;

  beforeAll(async () => {
    service = await startService(kind, VISITED);
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
    "the person signs out everywhere": async ({ person }) =>
      person.submit(await person.open(ACCOUNT), { do: "sign-out-everywhere" }),
    "the person sets a forgotten password": async ({ userId, userName }) => {
      const other = createPerson(service);
      const page = await other.open(createRequest(app).url);
      const path = /href="([^"]*forgotten[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
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
    expect(others).toEqual([]);
  });

  const ownChanges: Record<string, (person: Person, userId: string) => Promise<unknown>> = {
    "changes the password": async (person) => {
      const form = await person.open(`${ACCOUNT}/password`);
      const done = await person.submit(form, { current: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD });
      expect(done.status).toBe(200);
    },
    "removes a passkey": async (person, userId) => {
      await addPasskey(userId);
      const page = await person.open(ACCOUNT);
      const removed = await person.submit(page, { do: "remove-passkey", id: `passkey-${userId}` });
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

test("an application that cannot be notified is a warning in the log, and the session ends", async () => {
  const service = await startService("postgres", VISITED);
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
  expect(await service.sessions.list(userId)).toEqual([]);
  await service.close();
});
