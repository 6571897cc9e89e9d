import { sql } from "kysely";
import * as client from "openid-client";
import { codeOfStep, parseTotpSecret, stepAt } from "../../src/sign-in/code/totp.ts";
import type { Browser } from "../support/browsers/browser.ts";
import { createPerson, type Page, type Person } from "../support/browsers/person.ts";
import { call, importAda, lastReceived, VISITED } from "../support/browsers/visitor.ts";
import { IDP } from "../support/clients/requests.ts";
import { createRelyingParty, createRequest } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { formOf } from "../web/account/account-scene.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const WRONG_PASSWORD = "wrong password no. 3";
const OTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
/** Fields of our forms that grant access to anyone who has them. */
const SECRET_FIELDS = ["token", "proof", "code"];
/** Parameters of addresses. */
const SECRET_PARAMETERS = ["code"];

/** Secrets seen by a client of the service: descriptions by value. */
type Secrets = Map<string, string>;

/** The forms in which a secret could be stored: verbatim, in JSON, in a URL, as bytes in hexadecimal, and in base64. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const decoded = /^[\w-]{20,}$/.test(secret) ? [Buffer.from(secret, "base64url").toString("hex")] : [];
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString("hex"),
    bytes.toString("base64").replaceAll("=", ""),
    bytes.toString("base64url"),
    ...decoded,
  ];
}

/** Where the texts contain secrets. */
function findSecrets(texts: ReadonlyMap<string, string>, secrets: Secrets): string[] {
  return [...texts].flatMap(([place, text]) =>
    [...secrets]
      .filter(([secret]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([, what]) => `${what} in ${place}`),
  );
}

/** Every row of every table, and the log. */
async function dump({ db, logs }: TestService): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  const texts = new Map([["the log", JSON.stringify(logs)]]);
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`select to_jsonb(t)::text as text from ${sql.table(name)} as t`.execute(
      db,
    );
    texts.set(`table ${name}`, rows.map(({ text }) => text).join("\n"));
  }
  return texts;
}

/** A person whose secrets are recorded: cookies, codes in URLs, and hidden form fields. */
function createWatchedPerson(service: TestService, secrets: Secrets): Person {
  const person = createPerson(service);
  const note = (page: Page): Page => {
    for (const name of SECRET_PARAMETERS) keep(page.url.searchParams.get(name), `parameter ${name}`);
    for (const [, name = "", value = ""] of page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)) {
      if (SECRET_FIELDS.includes(name)) keep(value, `field ${name}`);
    }
    noteCookies(person.browser, secrets);
    return page;
  };
  const keep = (value: string | null, what: string) => {
    // A link's code is `<id>.<secret>`, and the id is not secret.
    if (value) secrets.set(what.endsWith("code") ? (value.split(".").at(-1) ?? value) : value, what);
  };
  return {
    browser: person.browser,
    open: async (url) => note(await person.open(url)),
    submit: async (page, fields) => note(await person.submit(page, fields)),
    post: async (url, fields) => note(await person.post(url, fields)),
  };
}

/** The one-time code of a step: 0 for the current one. Each works once. */
function oneTimeCode({ clockOffsetMs }: TestService, step: number): string {
  const secret = parseTotpSecret(OTP_SECRET);
  if (secret === undefined) throw new Error("there is no secret");
  return codeOfStep(secret, stepAt(secret, new Date(Date.now() + clockOffsetMs)) + BigInt(step));
}

function noteCookies(browser: Browser, secrets: Secrets): void {
  for (const [name, value] of browser.jar()) {
    // It has only the id of the organization.
    if (!name.endsWith("signet-step")) secrets.set(value, `cookie ${name}`);
  }
}

function noteTokens(tokens: client.TokenEndpointResponse, secrets: Secrets): void {
  for (const name of ["access_token", "refresh_token", "id_token"] as const) {
    const token = tokens[name];
    if (token !== undefined) secrets.set(token, name);
  }
}

test("no secret of a user's whole life is in a dump or in the log", async () => {
  const service = await startService("postgres", VISITED);
  const secrets: Secrets = new Map([
    [PASSWORD, "the first password"],
    [NEW_PASSWORD, "the second password"],
    [WRONG_PASSWORD, "a wrong password"],
    [OTP_SECRET, "the secret of one-time codes"],
    [IDP.clientSecret, "the secret at another provider"],
    [service.adminToken, "a personal access token"],
  ]);
  await call(service, "AddOrgOIDCIDP", IDP);
  const opaque = await createRelyingParty(service, { api_access: true });
  const jwt = await createRelyingParty(service, { access_token_type: "jwt", api_access: true });
  for (const { secret } of [opaque, jwt]) secrets.set(secret ?? "", "a client secret");
  const person = createWatchedPerson(service, secrets);

  // The link of the first email sets a password, which is then mistyped once.
  const userId = await importAda(service, { userName: "ada", otpCode: OTP_SECRET, phone: { phone: "+41791234567" } });
  const init = await person.open((await lastReceived(service, userId, "initialization")).path);
  await person.submit(init, { password: PASSWORD, repeat: PASSWORD });
  const live: client.TokenEndpointResponse[] = [];
  for (const app of [opaque, jwt]) {
    const request = createRequest(app, { scope: "openid offline_access urn:signet:api" });
    let page = await person.open(request.url);
    if (page.title !== "") {
      page = await person.submit(page, { username: "ada", password: WRONG_PASSWORD });
      page = await person.submit(page, { username: "ada", password: PASSWORD, remember: "yes" });
      page = await person.submit(page, { code: oneTimeCode(service, 0) });
    }
    const tokens = await client.authorizationCodeGrant(app.configuration, page.url, request.checks);
    noteTokens(tokens, secrets);
    const refreshed = await client.refreshTokenGrant(app.configuration, String(tokens.refresh_token));
    noteTokens(refreshed, secrets);
    live.push(refreshed);
  }

  // A device, whose code is redeemed, and one that waits.
  const device = await createRelyingParty(service, {
    type: "native",
    auth_method: "none",
    redirect_uris: [],
    grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
  });
  const [done, waiting] = await Promise.all(
    [1, 2].map(() => client.initiateDeviceAuthorization(device.configuration, { scope: "openid offline_access" })),
  );
  if (done === undefined || waiting === undefined) throw new Error("there are no device codes");
  for (const { device_code, user_code } of [done, waiting]) {
    secrets
      .set(device_code, "a device code")
      .set(user_code, "a user code")
      .set(user_code.replace("-", ""), "a user code");
  }
  const entered = await person.open(String(done.verification_uri_complete));
  const confirm = await person.submit(entered, { user_code: done.user_code });
  await person.submit(confirm, { user_code: done.user_code, confirm: "yes" });
  noteTokens(await client.pollDeviceAuthorizationGrant(device.configuration, { ...done, interval: 1 }), secrets);

  // A forgotten password, a link for a passkey, and a link that waits in the outbox.
  const other = createWatchedPerson(service, secrets);
  const signIn = await other.open(createRequest(opaque).url);
  const path = /formaction="([^"]*forgotten[^"]*)"/.exec(signIn.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  await other.submit(await other.open(path), { username: "ada" });
  const link = await lastReceived(service, userId, "password");
  secrets.set(link.code.split(".").at(-1) ?? "", "the code of a link that waits");
  const account = await person.open("/ui/account");
  expect(account.title).toBe("Your account");
  const adding = await person.submit(formOf(account, "/ui/account/passkeys"), {});
  expect(adding.url.pathname).toBe("/ui/account/passkeys/add");

  const before = await dump(service);
  expect(findSecrets(before, secrets)).toEqual([]);
  for (const [index, { access_token: token }] of live.entries()) {
    const { configuration } = index === 0 ? opaque : jwt;
    expect(await client.fetchUserInfo(configuration, token, userId)).toMatchObject({ sub: userId });
  }

  // The link that waits sets another password, with which the person signs in again.
  await other.submit(await other.open(link.path), { password: NEW_PASSWORD, repeat: NEW_PASSWORD });
  const request = createRequest(opaque, { scope: "openid offline_access" });
  const asked = await other.submit(await other.open(request.url), { username: "ada", password: NEW_PASSWORD });
  const page = await other.submit(asked, { code: oneTimeCode(service, 1) });
  const tokens = await client.authorizationCodeGrant(opaque.configuration, page.url, request.checks);
  noteTokens(tokens, secrets);
  const after = await dump(service);
  expect(findSecrets(after, secrets)).toEqual([]);

  // The search finds existing data, and the secrets that were not found still worked.
  const kinds = new Set([...secrets.values()].map((what) => what.split(" ")[0]));
  expect([...kinds].sort()).toEqual([
    "a",
    "access_token",
    "cookie",
    "field",
    "id_token",
    "parameter",
    "refresh_token",
    "the",
  ]);
  expect(findSecrets(after, new Map([[userId, "the user"]]))).toEqual(
    expect.arrayContaining(["the user in table users", "the user in table events"]),
  );
  expect(await client.fetchUserInfo(opaque.configuration, tokens.access_token, userId)).toMatchObject({ sub: userId });
  await service.close();
});
