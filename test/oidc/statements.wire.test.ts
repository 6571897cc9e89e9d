import * as client from "openid-client";
import pg from "pg";
import {
  createRequest,
  keepSecret,
  newBrowser,
  type RelyingParty,
  redeem,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

let service: TestService;
let app: RelyingParty;
let userId: string;
const queries = jest.spyOn(pg.Client.prototype, "query");

beforeAll(async () => {
  ({ service, app, userId } = await startProvider("postgres"));
});
afterAll(async () => {
  queries.mockRestore();
  await service.close();
});

/** The number of statements that a call sends to the database, and its result. */
async function count<Result>(call: () => Promise<Result>): Promise<{ statements: number; result: Result }> {
  const before = queries.mock.calls.length;
  const result = await call();
  return { statements: queries.mock.calls.length - before, result };
}

test("a sign-in by a live session takes 13 statements: 6 to authorize, 7 to redeem the code", async () => {
  const browser = newBrowser(service);
  await signInAndRedeem(service, browser, app, userId);
  const request = createRequest(app);
  const authorized = await count(() => signIn(service, browser, request.url, userId));
  const redeemed = await count(() => redeem(service, app, authorized.result, request));
  expect([authorized.statements, redeemed.statements]).toEqual([6, 7]);
});

test.each(["openid", "openid offline_access"])(
  "userinfo and introspection take one statement for %s",
  async (scope) => {
    const { access_token: token } = await signInAndRedeem(service, newBrowser(service), app, userId, { scope });
    const userinfo = await count(() => client.fetchUserInfo(app.configuration, token, userId));
    const introspection = await count(() => client.tokenIntrospection(app.configuration, token));
    expect([userinfo.statements, introspection.statements]).toEqual([1, 1]);
    expect(introspection.result.active).toBe(true);
  },
);

test("a refresh takes 7 statements", async () => {
  const scope = "openid offline_access";
  const { refresh_token = "" } = await signInAndRedeem(service, newBrowser(service), app, userId, { scope });
  const refreshed = await count(() => client.refreshTokenGrant(app.configuration, refresh_token));
  keepSecret(service, refreshed.result);
  expect(refreshed.statements).toBe(7);
});
