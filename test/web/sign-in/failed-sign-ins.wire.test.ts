import type { JsonObject } from "@bufbuild/protobuf";
import { pino } from "pino";
import type { Database } from "../../../src/database/database.ts";
import { deleteEnded } from "../../../src/server/delete-ended.ts";
import { createFailedSignIns } from "../../../src/sign-in/failed-sign-ins.ts";
import { createAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
import {
  requestOptionsOf,
  siteOf,
  storePasskey,
  submitPasskey,
  toUserHandle,
} from "../../support/browsers/passkeys.ts";
import { createPerson } from "../../support/browsers/person.ts";
import { call, importAda, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { createCaller } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const HOUR_MS = 3_600_000;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let service: TestService;
let app: RelyingParty;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.stopClock();
  app = await createRelyingParty(service);
});
beforeEach(async () => {
  await service.failedSignIns.store(service.db);
  await service.db.deleteFrom("failed_sign_ins").execute();
});
afterAll(() => service?.close());

async function signIn(username: string, password: string, person = createPerson(service)) {
  return await person.submit(await person.open(createRequest(app).url), { username, password });
}

async function count(request: JsonObject = {}) {
  await service.failedSignIns.store(service.db);
  const { total = "0", hours = [], sources = [] } = await call(service, "CountFailedSignIns", request);
  return { total: Number(total), hours: hours as JsonObject[], sources: sources as JsonObject[] };
}

const startOfHour = () => new Date(Math.floor(service.clock().getTime() / HOUR_MS) * HOUR_MS);

test("each wrong password counts by hour, user, network and browser, also those of names that no user has", async () => {
  const userId = await importAda(service, { userName: "ada", ...VERIFIED, password: PASSWORD });
  await signIn("ada", "wrong", createPerson(service, "198.51.100.7"));
  const first = startOfHour();
  service.clockOffsetMs += HOUR_MS;
  const stranger = createPerson(service, "2001:db8:1:2::3", { "user-agent": FIREFOX });
  for (const name of ["ada", "ada", "nobody", "ada"]) await signIn(name, "wrong", stranger);
  const lastHour = startOfHour().toISOString().replace(".000", "");
  const kind = "FAILED_SIGN_IN_KIND_PASSWORD";
  const start = first.toISOString().replace(".000", "");
  const earlier = { network: "198.51.100.0/24", kind, count: "1", lastHour: start };
  expect(await count()).toEqual({
    total: 5,
    hours: [
      { start, count: "1" },
      { start: lastHour, count: "4" },
    ],
    sources: [{ network: "2001:db8:1::/48", browser: "Firefox", kind, count: "4", lastHour }, earlier],
  });
  expect(await count({ userId })).toMatchObject({ total: 4, sources: [{ count: "3" }, { count: "1" }] });
  expect(await count({ since: lastHour })).toMatchObject({ total: 4 });
  expect(await count({ until: new Date(first.getTime() + HOUR_MS - 1).toISOString() })).toMatchObject({ total: 1 });
  // One more is not stored when the user is removed.
  await signIn("ada", "wrong", stranger);
  await call(service, "RemoveUser", { id: userId });
  expect(await count({ userId })).toEqual({ total: 0, hours: [], sources: [] });
  expect(await count()).toMatchObject({ total: 1 });
});

test("a wrong one-time code and a refused passkey count, and what succeeds does not", async () => {
  const userId = await importAda(service, { userName: "otp", ...VERIFIED, password: PASSWORD, otpCode: OTP_SECRET });
  const person = createPerson(service);
  await person.submit(await signIn("otp", PASSWORD, person), { code: "wrong" });
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator);
  const page = await person.open(createRequest(app).url);
  const options = { userHandle: toUserHandle(userId), origin: "https://evil.example.net" };
  const use = () => authenticator.get(requestOptionsOf(page).challenge, options);
  await submitPasskey(person, page, use());
  // Now the challenge has been used, so nothing says who the user is.
  await submitPasskey(person, page, use());
  const kinds = async (request: JsonObject) => (await count(request)).sources.map((source) => source.kind);
  const [otp, passkey] = ["FAILED_SIGN_IN_KIND_ONE_TIME_CODE", "FAILED_SIGN_IN_KIND_PASSKEY"];
  expect(await kinds({ userId })).toEqual([otp, passkey]);
  expect(await count()).toMatchObject({ total: 3, sources: [{ kind: passkey, count: "2" }, { kind: otp }] });
});

test("failures of another organization do not count, and a range is checked", async () => {
  await signIn("nobody", "wrong");
  const orgId = await service.createOrg("other");
  const caller = createCaller("grpc", service, service.adminToken);
  const inOther = await caller.call("CountFailedSignIns", {}, { "x-service-orgid": orgId });
  expect(inOther).toEqual(expect.objectContaining({ ok: true, message: {} }));
  expect(await count({ userId: "no id" })).toMatchObject({ total: 0 });
  const [since, until] = ["2026-03-01T00:00:00Z", "2026-01-01T00:00:00Z"];
  for (const range of [
    { since, until },
    { since: until, until: since },
  ]) {
    await expectError(service.db, "grpc", () => caller.call("CountFailedSignIns", range), "INVALID_ARGUMENT", [
      "since",
    ]);
  }
  caller.close();
});

test("counts are deleted after RETENTION_DAYS", async () => {
  await signIn("nobody", "wrong");
  expect(await count()).toMatchObject({ total: 1 });
  const later = (days: number) => new Date(startOfHour().getTime() + days * 24 * HOUR_MS + 1);
  const log = pino({ enabled: false });
  const left = async (days: number) => {
    await deleteEnded({ ...service, log, clock: () => later(days) }).deleteDue();
    return (await count()).total;
  };
  expect([await left(29.9), await left(30)]).toEqual([1, 0]);
});

test("beyond a number of counters, failures count without network and browser, and then without user", async () => {
  const [orgId, now] = [service.orgId, service.clock()];
  const userId = await importAda(service, VERIFIED);
  const other = await importAda(service, VERIFIED);
  const failedSignIns = createFailedSignIns({ byOrigin: 1, byUser: 2 });
  const add = (user: string, network: string) =>
    failedSignIns.add({ orgId, userId: user, kind: "password", origin: { network } }, now);
  for (const network of ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "192.0.2.0/24"]) add(userId, network);
  add(other, "192.0.2.0/24");
  const lost = { enter: () => Promise.reject(new Error("no connection")) };
  const broken: Database = Object.assign(Object.create(service.db), lost);
  await expect(failedSignIns.store(broken)).rejects.toThrow("internal error");
  await failedSignIns.store(service.db);
  await failedSignIns.store(service.db);
  const counts = async (request: JsonObject = {}) =>
    (await count(request)).sources.map(({ network = "", count: failures }) => [network, failures]);
  expect((await counts({ userId })).sort()).toEqual([
    ["", "2"],
    ["192.0.2.0/24", "2"],
  ]);
  expect((await counts()).sort()).toEqual([
    ["", "3"],
    ["192.0.2.0/24", "2"],
  ]);
  add(userId, "192.0.2.0/24");
  failedSignIns.add(
    { orgId, userId, kind: "password", origin: { network: "203.0.113.0/24" } },
    new Date(+now + HOUR_MS),
  );
  await failedSignIns.store(service.db);
  expect(await counts({ userId, until: new Date(+now + HOUR_MS).toISOString() })).toHaveLength(3);
});
