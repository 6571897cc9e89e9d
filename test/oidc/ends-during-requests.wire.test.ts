import { sql } from "kysely";
import * as client from "openid-client";
import pg from "pg";
import { findSignInUser } from "../../src/sign-in/find-sign-in-user.ts";
import type { Browser } from "../support/browsers/browser.ts";
import { call, importAda } from "../support/browsers/visitor.ts";
import { environment } from "../support/databases/database.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import {
  createRelyingParty,
  createRequest,
  findRequest,
  newBrowser,
  type Request,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const SCOPE = "openid offline_access";
const PARALLEL = 12;

/** Starts a service with an application, and returns the actions of the tests. */
async function startScene() {
  const service = await startService("postgres");
  for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
  const app = await createRelyingParty(service);

  return { service, app, newUser, newTokens, completeSignIn, isSignedIn, redeem, refresh, storedFor };

  function newUser(): Promise<string> {
    return importAda(service, { email: { email: "ada@example.com", isEmailVerified: true }, password: PASSWORD });
  }

  async function newTokens(browser: Browser, userId: string) {
    return await signInAndRedeem(service, browser, app, userId, { scope: SCOPE });
  }

  /** A browser with a sign-in that the user has completed, at the redirect that starts the session. */
  async function completeSignIn(userId: string) {
    const browser = newBrowser(service);
    const request = createRequest(app, { scope: SCOPE });
    const found = await findRequest(service, browser, (await browser.open(request.url.href)).location);
    const user = await findSignInUser(service, userId);
    if (found === undefined || user === undefined) throw new Error("there is no sign-in");
    const { sequence, passwordHash } = user;
    const signedIn = { userId, sequence, passwordHash, initialized: true, methods: ["pwd"], remember: false };
    return { browser, request, resume: await service.interactions.finish(found, signedIn) };
  }

  async function isSignedIn(browser: Browser): Promise<boolean> {
    const { location } = await browser.open(createRequest(app, { prompt: "none" }).url.href);
    return new URL(location).searchParams.has("code");
  }

  function redeem(callback: string, { checks }: Request) {
    return client.authorizationCodeGrant(app.configuration, new URL(service.secret(callback)), checks);
  }

  function refresh(token: string) {
    return client.refreshTokenGrant(app.configuration, service.secret(token));
  }

  /** What is left of the user's sessions, grants, codes and tokens. */
  function storedFor(userId: string) {
    return service.db.selectFrom("oidc_artifacts").select("kind").where("user_id", "=", userId).execute();
  }
}

type Scene = Awaited<ReturnType<typeof startScene>>;

/** A request that the test can start. It ends without an error. */
type Prepared = () => Promise<unknown>;

const ignoreFailure = (request: Promise<unknown>) => request.catch(() => {});

/** The requests that store something for a user. */
const REQUESTS: Readonly<Record<string, (scene: Scene, userId: string) => Promise<Prepared>>> = {
  async "starts a session"({ completeSignIn }, userId) {
    const { browser, resume } = await completeSignIn(userId);
    return () => browser.open(resume);
  },
  async "continues a session"({ app, service, newTokens }, userId) {
    const browser = newBrowser(service);
    await newTokens(browser, userId);
    const { url } = createRequest(app, { prompt: "none", scope: SCOPE });
    return () => browser.open(url.href);
  },
  async "redeems a code"({ completeSignIn, redeem }, userId) {
    const { browser, request, resume } = await completeSignIn(userId);
    const { location } = await browser.open(resume);
    return () => ignoreFailure(redeem(location, request));
  },
  async "refreshes tokens"({ service, newTokens, refresh }, userId) {
    const { refresh_token = "" } = await newTokens(newBrowser(service), userId);
    return () => ignoreFailure(refresh(refresh_token));
  },
};

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene?.service.close());

describe("the end of a user's sessions", () => {
  let holder: pg.Client;
  beforeAll(async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(scene.service.db);
    const url = new URL(environment("TEST_POSTGRES_URL"));
    url.pathname = `/${rows[0]?.name}`;
    holder = new pg.Client(url.href);
    await holder.connect();
    // A row of the kind that the setting names is stored once the test has released its lock.
    await holder.query(`
      create table held_kind (kind text);
      create function wait_for_test() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock(1) where new.kind in (select kind from held_kind);
        return new;
      end $$;
      create trigger wait_for_test before insert on oidc_artifacts for each row execute function wait_for_test()`);
  });
  afterAll(() => holder?.end());

  test.each([
    ["starts a session", "Session"],
    ["continues a session", "AuthorizationCode"],
    ["redeems a code", "AccessToken"],
    ["redeems a code", "RefreshToken"],
    ["refreshes tokens", "RefreshToken"],
    ["refreshes tokens", "AccessToken"],
  ] as const)("waits for a request that %s and is storing a row (%s), and deletes the row", async (name, stored) => {
    const userId = await scene.newUser();
    const request = await REQUESTS[name]?.(scene, userId);
    await holder.query("select pg_advisory_lock(1)");
    await holder.query("insert into held_kind values ($1)", [stored]);
    const requested = request?.();
    await untilBlocked(scene.service.db);
    const locked = call(scene.service, "LockUser", { id: userId });
    await Promise.race([untilBlocked(scene.service.db, 2), locked]);
    await holder.query("delete from held_kind");
    await holder.query("select pg_advisory_unlock(1)");
    await Promise.all([requested, locked]);
    expect(await scene.storedFor(userId)).toEqual([]);
  });

  test.each(Object.keys(REQUESTS))("prevents a request that %s from storing anything afterwards", async (name) => {
    const userId = await scene.newUser();
    const request = await REQUESTS[name]?.(scene, userId);
    await holder.query("begin");
    await holder.query("select * from end_sessions($1, null, null)", [userId]);
    const requested = request?.();
    await untilBlocked(scene.service.db);
    await holder.query("commit");
    await requested;
    expect(await scene.storedFor(userId)).toEqual([]);
  });
});

/** The calls that end all sessions of a user, and then let the user sign in again. */
const ENDS = {
  async SetHumanPassword(service: TestService, userId: string) {
    await call(service, "SetHumanPassword", { userId, password: NEW_PASSWORD });
  },
  async LockUser(service: TestService, id: string) {
    await call(service, "LockUser", { id });
    await call(service, "UnlockUser", { id });
  },
};

describe("among requests", () => {
  async function endAmongRequests(how: keyof typeof ENDS, userId: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
    await ENDS[how](scene.service, userId);
  }

  test.each(["SetHumanPassword", "LockUser"] as const)("%s ends the sessions that sign-ins start", async (how) => {
    const userId = await scene.newUser();
    const signIns: Awaited<ReturnType<Scene["completeSignIn"]>>[] = [];
    for (let count = 0; count < PARALLEL; count++) signIns.push(await scene.completeSignIn(userId));
    const opened = Promise.all(
      signIns.map(async (signIn) => ({ ...signIn, response: await signIn.browser.open(signIn.resume) })),
    );
    await endAmongRequests(how, userId);
    for (const { browser, request, response } of await opened) {
      expect(await scene.isSignedIn(browser)).toBe(false);
      // The sign-in had ended when the browser followed the redirect.
      if (response.status === 400) continue;
      const { code, error } = Object.fromEntries(new URL(response.location).searchParams);
      if (code === undefined) expect(error).toBe("login_required");
      else await expect(scene.redeem(response.location, request)).rejects.toMatchObject({ error: "invalid_grant" });
    }
    expect(await scene.storedFor(userId)).toEqual([]);
  });

  test.each(["SetHumanPassword", "LockUser"] as const)("%s ends the tokens that refreshes return", async (how) => {
    const userId = await scene.newUser();
    const tokens: string[] = [];
    for (let count = 0; count < PARALLEL; count++) {
      tokens.push((await scene.newTokens(newBrowser(scene.service), userId)).refresh_token ?? "");
    }
    const refreshed = Promise.allSettled(tokens.map((token) => scene.refresh(token)));
    await endAmongRequests(how, userId);
    for (const outcome of await refreshed) {
      const error = { error: "invalid_grant" };
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(error);
      else await expect(scene.refresh(outcome.value.refresh_token ?? "")).rejects.toMatchObject(error);
    }
    expect(await scene.storedFor(userId)).toEqual([]);
  });
});
