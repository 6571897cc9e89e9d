import { createAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
import {
  requestOptionsOf,
  siteOf,
  storePasskey,
  submitPasskey,
  toUserHandle,
} from "../../support/browsers/passkeys.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { eventsAfter, importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const ADA = { ...VERIFIED, password: PASSWORD };
const TITLE = "Sign in faster next time?";

let service: TestService;
let app: RelyingParty;
let names = 0;

beforeAll(async () => {
  service = await startService("postgres", { ...VISITED, PASSKEY_OFFER: "once" });
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
});
afterAll(() => service?.close());

async function newUser(fields: object = {}) {
  const userName = `user-${++names}`;
  return { userName, userId: await importAda(service, { userName, ...ADA, ...fields }) };
}

async function enter(username: string, person: Person = createPerson(service), to: RelyingParty = app) {
  const signIn = await person.open(createRequest(to, { prompt: "login" }).url);
  return { person, page: await person.submit(signIn, { username, password: PASSWORD }) };
}

const isDone = ({ url }: Page) => url.searchParams.has("code");

test("a user who declines to add a passkey is not asked again", async () => {
  const { userId, userName } = await newUser();
  const { person, page } = await enter(userName);
  expect([page.status, page.title]).toEqual([200, TITLE]);
  const { sequence } = await userOf(service, userId);
  expect(isDone(await person.submit(page, { do: "later" }))).toBe(true);
  expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).toEqual([
    "user.human.passwordless.declined",
    "user.human.signed.in",
  ]);
  expect(isDone((await enter(userName)).page)).toBe(true);
});

test("a user who does not answer is asked at the next sign-in", async () => {
  const { userName } = await newUser();
  for (let count = 0; count < 2; count++) expect((await enter(userName)).page.title).toBe(TITLE);
});

test("a user who agrees gets a page that creates the passkey, and can continue without one", async () => {
  const { userName } = await newUser();
  const { person, page } = await enter(userName);
  const add = await person.submit(page, { do: "add" });
  const code = /data-code="([^"]*)"/.exec(add.text)?.[1] ?? "";
  expect([add.title, add.headers.get("content-security-policy")]).toEqual([
    "Set up a passkey",
    expect.stringContaining("script-src 'self'"),
  ]);
  const headers = { "content-type": "application/json" };
  const options = await person.browser.open("/ui/passkey/options", {
    method: "POST",
    headers,
    body: JSON.stringify({ code }),
  });
  expect(options.status).toBe(200);
  const response = createAuthenticator(siteOf(service)).create(JSON.parse(options.text).challenge);
  const registered = await person.browser.open("/ui/passkey/registration", {
    method: "POST",
    headers,
    body: JSON.stringify({ code, response }),
  });
  expect(registered.status).toBe(200);
  const form = { ...add, text: add.text.slice(add.text.indexOf('<form id="continue"')) };
  expect(isDone(await person.submit(form, {}))).toBe(true);

  const { userName: other } = await newUser();
  const { person: undecided, page: asked } = await enter(other);
  const start = await undecided.submit(asked, { do: "add" });
  const without = { ...start, text: start.text.slice(start.text.indexOf('<form id="continue"')) };
  expect(isDone(await undecided.submit(without, { do: "later" }))).toBe(true);
  expect(isDone((await enter(other)).page)).toBe(true);
});

test("asking does not end the passkey link of an import", async () => {
  const { userId, userName } = await newUser({ requestPasswordlessRegistration: true });
  await enter(userName);
  const codes = await service.db
    .selectFrom("codes")
    .select("id")
    .where("user_id", "=", userId)
    .where("kind", "=", "passkey")
    .execute();
  expect(codes).toHaveLength(1);
});

test("a user with a passkey is not asked, whether it is used or not", async () => {
  const { userId, userName } = await newUser();
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator);
  expect(isDone((await enter(userName)).page)).toBe(true);
  const person = createPerson(service);
  const page = await person.open(createRequest(app).url);
  const use = { userHandle: toUserHandle(userId) };
  const response = authenticator.get(requestOptionsOf(page).challenge, use);
  expect(isDone(await submitPasskey(person, page, response))).toBe(true);
});

test("the other gates come first", async () => {
  const { userName } = await newUser({ passwordChangeRequired: true });
  const { person, page } = await enter(userName);
  expect(page.title).toBe("Choose a new password");
  const skipped = { ...page, text: page.text.replaceAll("/new-password?", "/add-passkey?") };
  expect((await person.submit(skipped, { do: "later" })).title).toBe("Choose a new password");
});

test("no user is asked at insecure URLs, where browsers do not support passkeys", async () => {
  const plain = await startService("postgres", {
    ...VISITED,
    PASSKEY_OFFER: "once",
    PUBLIC_URL: "http://id.example.com",
  });
  try {
    const userName = `user-${++names}`;
    await importAda(plain, { userName, ...ADA });
    const person = createPerson(plain);
    const signIn = await person.open(createRequest(await createRelyingParty(plain)).url);
    expect(isDone(await person.submit(signIn, { username: userName, password: PASSWORD }))).toBe(true);
  } finally {
    await plain.close();
  }
});
