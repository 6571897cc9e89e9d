import { codeOfStep, parseTotpSecret, stepAt, type TotpSecret } from "../../../src/sign-in/code/totp.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import {
  call,
  eventsAfter,
  importAda,
  lastReceived,
  userOf,
  VERIFIED,
  VISITED,
} from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createRecordedMetrics } from "../../support/telemetry/recorded-metrics.ts";

const NETWORK = { network: expect.stringMatching(/^10\.1\.\d+\.0\/24$/) };
const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const ADA = { ...VERIFIED, password: PASSWORD };
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const TITLE = "Enter your one-time code";
const WRONG = "This code is incorrect or has already been used. Please wait for the next one.";
const MINUTE = 60_000;

let names = 0;

let service: TestService;
let app: RelyingParty;
const metrics = createRecordedMetrics();
beforeAll(async () => {
  service = await startService("postgres", VISITED, { metrics });
  service.stopClock();
  for (const secret of [PASSWORD, NEW_PASSWORD, SECRET]) service.secret(secret);
  app = await createRelyingParty(service);
});
afterAll(() => service?.close());

/** Imports a user with an `otpCode`. */
async function newUser(otpCode = SECRET, fields: object = {}) {
  const userName = `user-${++names}`;
  return { userName, userId: await importAda(service, { userName, ...ADA, otpCode, ...fields }) };
}

/** Enters the correct password, by default from a new address. */
async function enter(username: string, person: Person = createPerson(service), password = PASSWORD) {
  const request = createRequest(app);
  const signIn = await person.open(request.url);
  return { person, request, page: await person.submit(signIn, { username, password }) };
}

function secretOf(text: string): TotpSecret {
  const secret = parseTotpSecret(text);
  if (secret === undefined) throw new Error("no secret");
  return secret;
}

/** The code that an authenticator app shows, by default now. */
function codeOf(text = SECRET, drift = 0): string {
  const secret = secretOf(text);
  return codeOfStep(secret, stepAt(secret, service.clock()) + BigInt(drift));
}

/** A code that is not valid for any nearby step. */
function wrongCode(): string {
  const near = new Set([-2, -1, 0, 1, 2].map((drift) => codeOf(SECRET, drift)));
  return ["111111", "222222", "333333", "444444", "555555", "666666"].find((code) => !near.has(code)) ?? "";
}

/** Sets the clock to the start of a step, so that no test depends on when it runs. */
function startStep(): void {
  const now = service.clock().getTime();
  service.clockOffsetMs += 30_000 - (now % 30_000) + 1_000;
}

const isDone = ({ url }: Page) => url.searchParams.has("code");

test("a user with an imported secret enters the code of the authenticator app after the password", async () => {
  const { userId, userName } = await newUser();
  const { person, request, page } = await enter(userName);
  expect([page.status, page.title]).toEqual([200, TITLE]);
  expect(page.text).toContain('autocomplete="one-time-code"');
  const { sequence } = await userOf(service, userId);
  const wrong = await person.submit(page, { code: wrongCode() });
  expect([wrong.status, wrong.alert]).toEqual([422, WRONG]);
  const code = codeOf();
  const done = await person.submit(wrong, { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
  expect(metrics.checks).toEqual([
    ["password", "success"],
    ["one_time_code", "failure"],
    ["one_time_code", "success"],
  ]);
  expect((await redeem(service, app, done.url, request)).claims()).toMatchObject({
    sub: userId,
    amr: ["pwd", "otp", "mfa"],
  });
  const events = await service.db
    .selectFrom("events")
    .select(["type", "payload", "editor_id"])
    .where("aggregate_id", "=", userId)
    .where("sequence", ">", sequence)
    .orderBy("sequence")
    .execute();
  expect(events).toEqual([
    { type: "user.human.otp.check.failed", payload: { failures: 1, knownDevice: false, ...NETWORK }, editor_id: null },
    { type: "user.human.otp.check.succeeded", payload: { failures: 1, ...NETWORK }, editor_id: userId },
    {
      type: "user.human.signed.in",
      payload: { appId: app.id, methods: ["pwd", "otp", "mfa"], ...NETWORK },
      editor_id: userId,
    },
  ]);
});

test("a code works once", async () => {
  startStep();
  const { userName } = await newUser();
  const code = codeOf();
  const { person, page } = await enter(userName);
  expect(isDone(await person.submit(page, { code }))).toBe(true);
  const { person: thief, page: second } = await enter(userName);
  const refused = await thief.submit(second, { code });
  expect([refused.status, refused.alert]).toEqual([422, WRONG]);
  // The code of the previous step does not work either.
  expect((await thief.submit(second, { code: codeOf(SECRET, -1) })).alert).toBe(WRONG);
  service.clockOffsetMs += 30_000;
  expect(isDone(await thief.submit(second, { code: codeOf() }))).toBe(true);
});

test("of concurrent uses of one code, one succeeds", async () => {
  const { userId, userName } = await newUser();
  const entered = await Promise.all(Array.from({ length: 6 }, () => enter(userName)));
  startStep();
  const code = codeOf();
  const pages = await Promise.all(entered.map(({ person, page }) => person.submit(page, { code })));
  expect(pages.filter(isDone)).toHaveLength(1);
  const uses = await service.db
    .selectFrom("events")
    .select("sequence")
    .where("aggregate_id", "=", userId)
    .where("type", "=", "user.human.otp.check.succeeded")
    .execute();
  expect(uses).toHaveLength(1);
});

test.each([
  ["a step late", -1, true],
  ["a step early", 1, true],
  ["two steps late", -2, false],
  ["two steps early", 2, false],
])("a clock that is %s", async (_, drift, isAccepted) => {
  startStep();
  const { userName } = await newUser();
  const { person, page } = await enter(userName);
  expect(isDone(await person.submit(page, { code: codeOf(SECRET, drift) }))).toBe(isAccepted);
});

test.each([
  SECRET.toLowerCase().replaceAll(/(.{4})/g, "$1 "),
  `otpauth://totp/Acme:ada?secret=${SECRET}&issuer=Acme`,
  `otpauth://totp/ada?secret=${SECRET}&algorithm=SHA256&digits=8&period=60`,
])("the otpCode %j of an import is used with its parameters", async (otpCode) => {
  const { userName } = await newUser(otpCode);
  const { person, page } = await enter(userName);
  expect(page.title).toBe(TITLE);
  expect(isDone(await person.submit(page, { code: codeOf(otpCode) }))).toBe(true);
});

test.each(["123456", "not a secret", `otpauth://hotp/ada?secret=${SECRET}&counter=1`, "MZXW6YTB"])(
  "the otpCode %j is kept, and the user is not asked for a code",
  async (otpCode) => {
    const { userId, userName } = await newUser(otpCode);
    expect(isDone((await enter(userName)).page)).toBe(true);
    expect((await userOf(service, userId)).otp_code).not.toBeNull();
  },
);

test("the gates have one order: address, one-time code, password", async () => {
  const { userId, userName } = await newUser(SECRET, {
    email: { email: "ada@example.com" },
    passwordChangeRequired: true,
  });
  const { person, page } = await enter(userName);
  expect(page.title).toBe("Confirm your email address");
  const { code } = await lastReceived(service, userId, "initialization");
  await person.browser.post("/ui/init", { code });
  const next = await person.submit(page, {});
  expect(next.title).toBe(TITLE);
  // The path of a later gate does not skip this one.
  const skipped = await person.submit(
    { ...next, text: next.text.replaceAll("/one-time-code?", "/new-password?") },
    { password: NEW_PASSWORD, repeat: NEW_PASSWORD },
  );
  expect(skipped.title).toBe(TITLE);
  const last = await person.submit(next, { code: codeOf() });
  expect(last.title).toBe("Choose a new password");
  expect(isDone(await person.submit(last, { password: NEW_PASSWORD, repeat: NEW_PASSWORD }))).toBe(true);
});

test("resetting the password with a link does not bypass the one-time code", async () => {
  const { userId, userName } = await newUser();
  const person = createPerson(service);
  const signIn = await person.open(createRequest(app).url);
  await person.post(`${signIn.url.pathname}/forgotten`, {
    token: /name="token" value="([^"]*)"/.exec(signIn.text)?.[1] ?? "",
    username: userName,
  });
  const { code } = await lastReceived(service, userId, "password");
  await person.browser.post("/ui/password", { code, password: NEW_PASSWORD, repeat: NEW_PASSWORD });
  const { page } = await enter(userName, person, NEW_PASSWORD);
  expect(page.title).toBe(TITLE);
});

test("guesses are limited for a user at an address, also for the correct code, but not on a known device", async () => {
  const { userName } = await newUser();
  const known = createPerson(service);
  const first = await enter(userName, known);
  expect(isDone(await known.submit(first.page, { code: codeOf() }))).toBe(true);
  const { person, page } = await enter(userName);
  const statuses: number[] = [];
  let last = page;
  for (let count = 0; count < 11; count++) {
    last = await person.submit(page, { code: wrongCode() });
    statuses.push(last.status);
  }
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  service.clockOffsetMs += 30_000;
  const { page: again } = await enter(userName, known);
  expect(isDone(await known.submit(again, { code: codeOf() }))).toBe(true);
});

test("a correct password does not reset the count of wrong codes", async () => {
  const { userName } = await newUser();
  const person = createPerson(service);
  const statuses: number[] = [];
  for (let count = 0; count < 11; count++) {
    const { page } = await enter(userName, person);
    statuses.push((await person.submit(page, { code: wrongCode() })).status);
  }
  expect(statuses.at(-1)).toBe(429);
});

test("guesses from many addresses are limited to six per day, because they require the password", async () => {
  const { userName } = await newUser();
  let admitted = 0;
  for (let count = 0; count < 26; count++) {
    const { person, page } = await enter(userName);
    if ((await person.submit(page, { code: wrongCode() })).status === 422) admitted++;
  }
  expect(admitted).toBeLessThan(24);
  service.clockOffsetMs += 5 * 60 * MINUTE;
  const { person, page } = await enter(userName);
  expect(isDone(await person.submit(page, { code: codeOf() }))).toBe(true);
});

test("a browser in which the password was set with a link is not a known device for guesses", async () => {
  const { userId, userName } = await newUser();
  for (const person of [createPerson(service), createPerson(service)]) {
    let { page } = await enter(userName, person);
    for (let count = 0; count < 10; count += 1) page = await person.submit(page, { code: wrongCode() });
    expect(page.status).toBe(422);
  }
  const person = createPerson(service);
  await call(service, "SendHumanResetPasswordNotification", { userId });
  const form = await person.open((await lastReceived(service, userId, "password")).path);
  await person.submit(form, { password: NEW_PASSWORD, repeat: NEW_PASSWORD });
  const { page } = await enter(userName, person, NEW_PASSWORD);
  expect(page.title).toBe(TITLE);
  expect((await person.submit(page, { code: wrongCode() })).status).toBe(429);
});

test("a one-time code is not asked for without the password, and the page is rejected elsewhere", async () => {
  const { userName } = await newUser();
  const { person, page } = await enter(userName);
  const other = await person.open(createRequest(app).url);
  const proof = /name="proof" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  const token = /name="token" value="([^"]*)"/.exec(other.text)?.[1] ?? "";
  const refused = await person.post(`${other.url.pathname}/one-time-code`, { token, proof, code: codeOf() });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("open for too long");
  service.clockOffsetMs += 15 * MINUTE;
  expect((await person.submit(page, { code: codeOf() })).title).toMatch(/^Sign in to /);
});

test("the proofs are recorded with the sign-in to the application", async () => {
  const { userId, userName } = await newUser();
  const { sequence } = await userOf(service, userId);
  const { person, page } = await enter(userName);
  await person.submit(page, { code: codeOf() });
  expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).toEqual([
    "user.human.password.check.succeeded",
    "user.human.otp.check.succeeded",
    "user.human.signed.in",
  ]);
});
