import decodeQR from "qr/decode.js";
import { codeOfStep, parseTotpSecret, stepAt } from "../../../src/sign-in/code/totp.ts";
import type { Page, Person } from "../../support/browsers/person.ts";
import { eventsAfter, importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { ACCOUNT, newPerson, noticeOf, PASSWORD, STALE, signIn } from "./account-scene.ts";

const IMPORTED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const SET_UP = "/ui/account/one-time-code";
const CODES = `${SET_UP}/recovery-codes`;
const NEW_CODES = `${SET_UP}/new-recovery-codes`;
const GATE = "Enter your one-time code";
const WRONG = "This code is incorrect or has already been used. Please wait for the next one.";
const WRONG_RECOVERY = "This code is incorrect or has already been used.";
const MINUTE = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.stopClock();
  for (const secret of [PASSWORD, IMPORTED]) service.secret(secret);
  await service.db.updateTable("orgs").set({ name: "Acme: Shop" }).where("id", "=", service.orgId).execute();
});
afterAll(() => service?.close());

function codeOf(base32: string): string {
  const secret = parseTotpSecret(base32);
  if (secret === undefined) throw new Error("no secret");
  return codeOfStep(secret, stepAt(secret, service.clock()));
}

const secretOf = ({ text }: Page) => /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(" ", "") ?? "";
const recoveryCodesOf = ({ text }: Page) =>
  [...text.matchAll(/<li><code>([A-Z2-7-]+)<\/code>/g)].map(([, code = ""]) => code);
const isSignedIn = async (person: Person) => (await person.open(ACCOUNT)).title === "Your account";

/** Sets up one-time codes. Neither the secret nor the codes may be stored in plaintext. */
async function setUp(person: Person) {
  const page = await person.open(SET_UP);
  const secret = secretOf(page);
  const done = await person.submit(page, { code: codeOf(secret) });
  return { page, secret, done, codes: recoveryCodesOf(done) };
}

test("a user sets up one-time codes, and is asked for one at the next sign-in", async () => {
  const { userId, userName, person, page } = await newPerson(service);
  expect(page.text).toContain(`href="${SET_UP}">Set up<`);
  const { sequence, otp_code } = await userOf(service, userId);
  expect(otp_code).toBeNull();
  const form = await person.open(SET_UP);
  const secret = secretOf(form);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(parseTotpSecret(readQr(form.text))).toEqual(parseTotpSecret(secret));
  expect(new URL(readQr(form.text)).searchParams.get("issuer")).toBe("Acme Shop");
  // Opening the page stores nothing.
  expect((await userOf(service, userId)).sequence).toBe(sequence);
  const wrong = await person.submit(form, { code: "000000" });
  expect([wrong.status, wrong.alert, secretOf(wrong)]).toEqual([422, WRONG, secret]);
  const done = await person.submit(wrong, { code: codeOf(secret) });
  expect([done.status, done.title, done.url.pathname]).toEqual([200, "Save your recovery codes", CODES]);
  expect(recoveryCodesOf(done)).toHaveLength(10);
  // They are shown until the user has saved them.
  expect(recoveryCodesOf(await person.open(CODES))).toEqual(recoveryCodesOf(done));
  expect(noticeOf(await person.submit(done, {}))).toBe("One-time codes are set up.");
  expect((await person.open(CODES)).url.pathname).toBe(ACCOUNT);
  expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).toEqual([
    "user.human.otp.added",
    "user.human.recovery.codes.added",
  ]);
  const account = await person.open(ACCOUNT);
  expect(account.text).toContain("Set up. Recovery codes left: 10");
  const stored = await service.db.selectFrom("recovery_codes").select("hash").where("user_id", "=", userId).execute();
  expect(stored).toHaveLength(10);

  const { person: other, page: gate } = await signIn(service, userName);
  expect(gate.title).toBe(GATE);
  // The code that was entered during the setup cannot be used again.
  expect((await other.submit(gate, { code: codeOf(secret) })).alert).toBe(WRONG);
  service.clockOffsetMs += 30_000;
  expect((await other.submit(gate, { code: codeOf(secret) })).title).toBe("Your account");
});

test("a recovery code works once instead of a one-time code", async () => {
  const { userId, userName, person } = await newPerson(service);
  const { codes } = await setUp(person);
  const [code = "", other = ""] = codes;
  const { person: elsewhere, page: gate } = await signIn(service, userName);
  const { sequence } = await userOf(service, userId);
  const done = await elsewhere.submit(gate, { recovery: ` ${code.toLowerCase().replaceAll("-", " ")}` });
  expect(done.title).toBe("Your account");
  expect(done.text).toContain("Recovery codes left: 9");
  const network = expect.stringMatching(/\/24$/);
  expect(await eventsAfter(service, userId, sequence)).toEqual([
    ["user.human.recovery.code.used", { network }],
    ["user.human.signed.in", expect.anything()],
  ]);
  const { person: thief, page: second } = await signIn(service, userName);
  for (const text of [code, "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA", "x", ""]) {
    const refused = await thief.submit(second, { recovery: text });
    expect([refused.status, refused.alert]).toEqual([422, WRONG_RECOVERY]);
    expect(refused.text).toContain("<details open>");
  }
  // The field for the one-time code also accepts it.
  expect((await thief.submit(second, { code: other })).title).toBe("Your account");
});

test("of concurrent uses of one recovery code, one succeeds", async () => {
  const { userName, person } = await newPerson(service);
  const { codes } = await setUp(person);
  const gates = await Promise.all(Array.from({ length: 5 }, () => signIn(service, userName)));
  const pages = await Promise.all(
    gates.map(({ person: visitor, page }) => visitor.submit(page, { recovery: codes[0] ?? "" })),
  );
  expect(pages.filter(({ title }) => title === "Your account")).toHaveLength(1);
});

test("the recovery codes of another user do not work", async () => {
  const [{ person }, { userName, person: other }] = [await newPerson(service), await newPerson(service)];
  const { codes } = await setUp(person);
  await setUp(other);
  const { person: visitor, page } = await signIn(service, userName);
  expect((await visitor.submit(page, { recovery: codes[0] ?? "" })).alert).toBe(WRONG_RECOVERY);
});

test("new recovery codes replace the old ones once the user has saved them", async () => {
  const { userName, person } = await newPerson(service);
  const { codes: old } = await setUp(person);
  const page = await person.open(NEW_CODES);
  const codes = recoveryCodesOf(page);
  expect([page.title, codes.length]).toEqual(["New recovery codes", 10]);
  const download = decodeURIComponent(/href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(page.text)?.[1] ?? "");
  expect(download.split("\r\n").slice(2)).toEqual([...codes, ""]);
  expect(download).toContain(`Recovery codes of ${userName} at`);
  const { person: first, page: firstGate } = await signIn(service, userName);
  expect((await first.submit(firstGate, { recovery: codes[0] ?? "" })).alert).toBe(WRONG_RECOVERY);
  expect((await first.submit(firstGate, { recovery: old[0] ?? "" })).title).toBe("Your account");
  const replaced = await person.submit(page, {});
  expect([replaced.url.pathname, noticeOf(replaced)]).toEqual([
    ACCOUNT,
    "Your new recovery codes are valid. The previous ones no longer work.",
  ]);
  const { person: visitor, page: gate } = await signIn(service, userName);
  expect((await visitor.submit(gate, { recovery: old[1] ?? "" })).alert).toBe(WRONG_RECOVERY);
  expect((await visitor.submit(gate, { recovery: codes[0] ?? "" })).title).toBe("Your account");
});

test("the recovery codes of another session's page are rejected, and those of a user without one-time codes", async () => {
  const [{ person: thief }, { person, userId }] = [await newPerson(service), await newPerson(service)];
  await setUp(thief);
  const foreign = await thief.open(NEW_CODES);
  expect((await person.open(NEW_CODES)).url.pathname).toBe(ACCOUNT);
  const { codes } = await setUp(person);
  const page = await person.open(NEW_CODES);
  const sealed = /name="codes" value="([^"]*)"/.exec(foreign.text)?.[1] ?? "";
  for (const fields of [{ codes: sealed }, { codes: "x.y" }, { token: "" }]) {
    const refused = await person.submit(page, fields);
    expect([refused.status, refused.alert]).toEqual([422, STALE]);
  }
  // The cookie of the codes is valid only in its session.
  const [name = "", value = ""] = thief.browser.jar().find(([cookie]) => cookie.includes("recovery-codes")) ?? [];
  expect(name).not.toBe("");
  const cookie = `${person.browser.cookies(CODES).replace(/signet-recovery-codes=[^;]*/, "")}; ${name}=${value}`;
  const stolen = await fetch(service.origin + CODES, { headers: { cookie }, redirect: "manual" });
  expect([stolen.status, stolen.headers.get("location")]).toEqual([303, ACCOUNT]);
  const left = await service.db.selectFrom("recovery_codes").select("hash").where("user_id", "=", userId).execute();
  expect(left).toHaveLength(codes.length);
});

test.each(["password", "one-time code", "recovery code"])(
  "one-time codes are removed with the %s, which ends the other sessions",
  async (by) => {
    const { userId, userName, person } = await newPerson(service);
    const { person: other } = await signIn(service, userName);
    const { secret, codes } = await setUp(person);
    service.clockOffsetMs += 30_000;
    const form = await person.open(`${SET_UP}/remove`);
    expect(form.title).toBe("Remove one-time codes");
    const { sequence } = await userOf(service, userId);
    const wrongs = {
      password: { password: "wrong" },
      "one-time code": { code: "000000" },
      "recovery code": { code: "x" },
    };
    const refused = await person.submit(form, wrongs[by as keyof typeof wrongs]);
    expect([refused.status, refused.alert]).toEqual([
      422,
      by === "password" ? "This is not your current password." : WRONG,
    ]);
    const rights = {
      password: { password: PASSWORD },
      "one-time code": { code: codeOf(secret) },
      "recovery code": { code: codes[0] ?? "" },
    };
    const done = await person.submit(refused, rights[by as keyof typeof rights]);
    expect([done.title, done.url.pathname]).toEqual(["Your account", ACCOUNT]);
    expect(noticeOf(done)).toBe("One-time codes were removed. You have been signed out everywhere else.");
    expect(await userOf(service, userId)).toMatchObject({ otp_code: null, otp_code_key: null, otp_last_step: null });
    const left = await service.db.selectFrom("recovery_codes").select("hash").where("user_id", "=", userId).execute();
    expect(left).toEqual([]);
    const types = await service.db
      .selectFrom("events")
      .select("type")
      .where("aggregate_id", "=", userId)
      .where("sequence", ">", sequence)
      .orderBy("sequence", "desc")
      .execute();
    expect(types[0]?.type).toBe("user.human.otp.removed");
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
    expect((await signIn(service, userName)).page.title).toBe("Your account");
  },
);

test("guesses on the page that removes one-time codes are limited", async () => {
  const { person } = await newPerson(service);
  await setUp(person);
  const form = await person.open(`${SET_UP}/remove`);
  const statuses: number[] = [];
  for (let count = 0; count < 11; count++) statuses.push((await person.submit(form, { code: "000000" })).status);
  expect(statuses.at(-1)).toBe(429);
});

test("setting up and new recovery codes require a recent sign-in, and the secret of the page expires", async () => {
  const { person } = await newPerson(service);
  const form = await person.open(SET_UP);
  const secret = secretOf(form);
  service.clockOffsetMs += 15 * MINUTE;
  for (const page of [
    await person.open(SET_UP),
    await person.submit(form, { code: codeOf(secret) }),
    await person.open(NEW_CODES),
  ]) {
    expect(page.title).toBe("Sign in to Acme: Shop");
  }
  // The OpenID provider uses the real clock, so with an offset, later sign-ins would not be recent.
  service.clockOffsetMs = 0;
});

test("the secret of another session's page is rejected", async () => {
  const [{ person: thief }, { person }] = [await newPerson(service), await newPerson(service)];
  const foreign = await thief.open(SET_UP);
  const form = await person.open(SET_UP);
  const sealed = /name="secret" value="([^"]*)"/.exec(foreign.text)?.[1] ?? "";
  for (const fields of [{ secret: sealed }, { secret: "x.y" }, { token: "" }]) {
    const refused = await person.submit(form, { code: codeOf(secretOf(foreign)), ...fields });
    expect([refused.status, refused.alert]).toEqual([422, STALE]);
  }
});

test("an imported otpCode is replaced if it is not a secret, and kept if it is one", async () => {
  const { userId, person } = await newPerson(service, { otpCode: "not a secret" });
  const { done } = await setUp(person);
  expect(done.title).toBe("Save your recovery codes");
  expect((await userOf(service, userId)).otp_last_step).not.toBeNull();

  const userName = "imported";
  await importAda(service, { userName, ...VERIFIED, password: PASSWORD, otpCode: IMPORTED });
  const { person: imported, page: gate } = await signIn(service, userName);
  await imported.submit(gate, { code: codeOf(IMPORTED) });
  expect((await imported.open(SET_UP)).url.pathname).toBe(ACCOUNT);
  expect((await imported.open(ACCOUNT)).text).toContain("Recovery codes left: 0");
});

test("a form that is sent twice sets up one secret", async () => {
  const { userId, person } = await newPerson(service);
  const form = await person.open(SET_UP);
  const code = codeOf(secretOf(form));
  const pages = await Promise.all([person.submit(form, { code }), person.submit(form, { code })]);
  expect(pages.filter((page) => recoveryCodesOf(page).length === 10)).toHaveLength(1);
  const stored = await service.db.selectFrom("recovery_codes").select("hash").where("user_id", "=", userId).execute();
  expect(stored).toHaveLength(10);
});

/** Reads the QR code of a page, drawn with four pixels per module. */
function readQr(text: string): string {
  const [, size = "0"] = /<svg class="qr" viewBox="0 0 (\d+) /.exec(text) ?? [];
  const width = Number(size) * 4;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x = "", y = "", run = ""] of text.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * 4; row < Number(y) * 4 + 4; row++) {
      for (let column = Number(x) * 4; column < (Number(x) + Number(run)) * 4; column++) {
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
      }
    }
  }
  return decodeQR({ width, height: width, data });
}
