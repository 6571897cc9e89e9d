import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { createAuthenticator } from "../support/browsers/passkey-authenticator.ts";
import { requestOptionsOf, siteOf, storePasskey, submitPasskey, toUserHandle } from "../support/browsers/passkeys.ts";
import { createPerson, type Page, type Person } from "../support/browsers/person.ts";
import { call, importAda, VERIFIED, VISITED } from "../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const [ONE, TWO] = ["urn:signet:acr:1", "urn:signet:acr:2"];

let service: TestService;
let app: RelyingParty;
let names = 0;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  await call(service, "UpdateLoginPolicy", {
    ...{ allowUsernamePassword: true, passwordlessType: "PASSWORDLESS_TYPE_ALLOWED", mfaInitSkipLifetime: "0s" },
  });
});
afterAll(() => service?.close());

async function newUser() {
  const userName = `user-${++names}`;
  return { userName, userId: await importAda(service, { userName, password: PASSWORD, ...VERIFIED }) };
}

const acrClaim = (acr: JsonObject) => ({ claims: JSON.stringify({ id_token: { acr } }) });

/** Opens a request, and enters the password if the page asks for it. */
async function signIn(person: Person, username: string, parameters: Record<string, string> = {}) {
  const request = createRequest(app, parameters);
  const first = await person.open(request.url);
  const isAsked = first.text.includes('name="password"');
  const page = isAsked ? await person.submit(first, { username, password: PASSWORD }) : first;
  return { request, page, isAsked };
}

async function claimsOf({ request, page }: Awaited<ReturnType<typeof signIn>>) {
  return (await redeem(service, app, page.url, request)).claims();
}

const errorOf = ({ url }: Page) => url.searchParams.get("error");

test("a sign-in with a password has one factor, and a request for two leads to the setup of another", async () => {
  const { userName } = await newUser();
  const person = createPerson(service);
  expect(await claimsOf(await signIn(person, userName))).toMatchObject({ acr: ONE, amr: ["pwd"] });
  const again = await signIn(person, userName, { acr_values: `${TWO} ${ONE}` });
  expect([again.isAsked, (await claimsOf(again))?.acr]).toEqual([false, ONE]);
  for (const parameters of [
    { acr_values: TWO },
    acrClaim({ essential: true, value: TWO }),
    acrClaim({ values: [TWO] }),
  ]) {
    const { isAsked, page } = await signIn(person, userName, parameters);
    // Whoever merely has the session cannot set up a factor.
    expect([isAsked, page.title]).toEqual([true, "Protect your account"]);
  }
});

test("a session with one factor is asked for the second only", async () => {
  const { userName, userId } = await newUser();
  const person = createPerson(service);
  const first = await claimsOf(await signIn(person, userName));
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator, {});
  const asked = await signIn(person, userName, acrClaim({ essential: true, values: [TWO] }));
  expect([asked.isAsked, asked.page.title]).toEqual([false, "Confirm with your passkey"]);
  const response = authenticator.get(requestOptionsOf(asked.page).challenge, { userHandle: toUserHandle(userId) });
  const page = await submitPasskey(person, asked.page, response);
  expect(await claimsOf({ ...asked, page })).toMatchObject({
    sub: first?.sub,
    acr: TWO,
    amr: ["pwd", "hwk", "user", "mfa"],
  });
  const stronger = await signIn(person, userName, { acr_values: TWO });
  expect([stronger.isAsked, (await claimsOf(stronger))?.acr]).toEqual([false, TWO]);
  // OpenID Connect Core 1.0, section 5.5.1.1: the claim is one of the requested values.
  expect((await claimsOf(await signIn(person, userName, acrClaim({ essential: true, value: ONE }))))?.acr).toBe(ONE);
});

test("a factor is added to the session that was asked for it, and to no other", async () => {
  const [ada, eve] = [await newUser(), await newUser()];
  const key = createAuthenticator(siteOf(service));
  await storePasskey(service, ada.userId, createAuthenticator(siteOf(service)), {});
  await storePasskey(service, eve.userId, key, {});
  const person = createPerson(service);
  await signIn(person, ada.userName);
  // Somebody who knows Ada's password keeps this request until the browser has a session of another account.
  const claims = JSON.stringify({ id_token: { sub: { value: ada.userId }, acr: { value: TWO } } });
  const { location } = await person.browser.open(String(createRequest(app, { claims }).url));
  const own = await signIn(person, eve.userName, { prompt: "select_account", acr_values: TWO });
  const response = key.get(requestOptionsOf(own.page).challenge, { userHandle: toUserHandle(eve.userId) });
  expect(await claimsOf({ ...own, page: await submitPasskey(person, own.page, response) })).toMatchObject({ acr: TWO });
  const back = await person.open(location);
  expect([back.status, back.text.includes('name="password"')]).toEqual([200, true]);
});

test("a session that has ended in the meantime is not continued", async () => {
  const { userName, userId } = await newUser();
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator, {});
  const person = createPerson(service);
  await signIn(person, userName);
  const asked = await signIn(person, userName, { acr_values: TWO });
  const response = authenticator.get(requestOptionsOf(asked.page).challenge, { userHandle: toUserHandle(userId) });
  const { rows } = await sql<{ uid: string }>`
    select payload ->> 'uid' as uid from oidc_artifacts where kind = 'Session' and user_id = ${userId}`.execute(
    service.db,
  );
  await service.sessions.end(
    userId,
    rows.map(({ uid }) => uid),
  );
  const page = await submitPasskey(person, asked.page, response);
  expect(page.text).toContain('name="password"');
});

test("a session without acr, of an earlier version, is not renewed by a request for one factor", async () => {
  const { userName, userId } = await newUser();
  await storePasskey(service, userId, createAuthenticator(siteOf(service)), {});
  const person = createPerson(service);
  const before = await claimsOf(await signIn(person, userName));
  await sql`update oidc_artifacts set payload = payload - 'acr' where kind = 'Session'`.execute(service.db);
  service.clockOffsetMs += 3_600_000;
  const again = await signIn(person, userName, { acr_values: ONE });
  service.clockOffsetMs -= 3_600_000;
  expect((await claimsOf(again))?.auth_time).toBe(before?.auth_time);
});

/** OpenID Connect Core Error Code unmet_authentication_requirements 1.0. */
test("an essential value that is unknown, or not reached without a page, is an error", async () => {
  const { userName } = await newUser();
  const person = createPerson(service);
  await signIn(person, userName);
  const unknown = await signIn(person, userName, acrClaim({ essential: true, value: "urn:example:gold" }));
  expect(errorOf(unknown.page)).toBe("unmet_authentication_requirements");
  const silent = await signIn(person, userName, { ...acrClaim({ essential: true, value: TWO }), prompt: "none" });
  expect(errorOf(silent.page)).toBe("unmet_authentication_requirements");
  const voluntary = await signIn(person, userName, { acr_values: "urn:example:gold" });
  expect((await claimsOf(voluntary))?.acr).toBe(ONE);
  const none = await signIn(person, userName, acrClaim({ values: null }));
  expect((await claimsOf(none))?.acr).toBe(ONE);
  const object = await signIn(person, userName, acrClaim({ values: [{ toString: 1, valueOf: 1 }] }));
  expect((await claimsOf(object))?.acr).toBe(ONE);
  const invalid = await signIn(person, userName, acrClaim({ essential: true, values: TWO as never }));
  expect(errorOf(invalid.page)).toBe("unmet_authentication_requirements");
});
