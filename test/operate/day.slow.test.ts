import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { sql } from "kysely";
import * as client from "openid-client";
import { pino } from "pino";
import { createToken } from "../../src/access/create-token.ts";
import { createPort } from "../../src/http/port.ts";
import { rotateSigningKeys } from "../../src/oidc/signing-keys.ts";
import { readCertificate } from "../../src/server/certificate.ts";
import { deleteEnded } from "../../src/server/delete-ended.ts";
import { watchCertificate } from "../../src/server/watch-certificate.ts";
import { createPerson } from "../support/browsers/person.ts";
import { createVisitor, importAda, lastReceived, VISITED } from "../support/browsers/visitor.ts";
import { PASSWORD } from "../support/clients/requests.ts";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import {
  createRelyingParty,
  createRequest,
  newBrowser,
  type RelyingParty,
  redeem,
  signIn,
} from "../support/oidc/relying-party.ts";
import { createCertificate, testWithOpenssl } from "../support/servers/certificates.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A day, and the hours after it in which its ended data is deleted. */
const HOURS = 30;
const ROTATION_HOUR = 8;
const RENEWAL_HOUR = 12;
/** Tables whose rows end, with the condition on rows that must be gone. `ended` is the time, `kept` a day before it. */
const ENDING = {
  oidc_artifacts: sql<boolean>`expires_at < ended`,
  idempotency_keys: sql<boolean>`expires_at <= ended`,
  idp_attempts: sql<boolean>`expires_at < ended`,
  registrations: sql<boolean>`expires_at < ended`,
  codes: sql<boolean>`least(used_at, expires_at) < kept`,
  messages: sql<boolean>`ended_at < kept`,
  tokens: sql<boolean>`least(revoked_at, expires_at) < kept`,
};
/** All tables except `events`, which is a permanent record. */
const COUNTED = [...Object.keys(ENDING), "users", "passkeys", "signing_keys", "rate_limits", "user_idp_links"];

let service: TestService;
let app: RelyingParty;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "signet-day-"));
  service = await startService("postgres", { ...VISITED, RETENTION_DAYS: "1" });
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const silent = pino({ level: "silent" });
const clock = () => new Date(Date.now() + service.clockOffsetMs);

async function count(table: string, condition = sql<boolean>`true`): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with times as (select ${clock()}::timestamptz as ended, ${new Date(clock().getTime() - DAY_MS)}::timestamptz as kept)
    select count(*)::int as count from ${sql.table(table)}, times where ${condition}`.execute(service.db);
  return rows[0]?.count ?? 0;
}

async function countAll(): Promise<Record<string, number>> {
  return Object.fromEntries(await Promise.all(COUNTED.map(async (table) => [table, await count(table)] as const)));
}

/** The remaining ended rows, by table. */
async function countEnded(): Promise<Record<string, number>> {
  const counts = Object.entries(ENDING).map(async ([table, ended]) => [table, await count(table, ended)] as const);
  return Object.fromEntries((await Promise.all(counts)).filter(([, rows]) => rows > 0));
}

testWithOpenssl("a day of operation ends what should end, keeps what should stay, and lets no table grow", async () => {
  const retention = deleteEnded({ ...service, clock, log: silent });
  const verified = { email: { email: "ada@example.com", isEmailVerified: true } };
  const userId = await importAda(service, { ...verified, userName: "ada", password: PASSWORD });
  const machine = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
  const certificates = await serveCertificates();
  const kept = newBrowser(service);
  const transient = newBrowser(service);
  await signIn(service, kept, createRequest(app).url, userId, { remember: true });
  await signIn(service, transient, createRequest(app).url, userId);

  const importOnce = (hour: number, key: string) =>
    send(service.origin, "POST", IMPORT_PATH, {
      token: service.adminToken,
      body: human(`person-${hour}`),
      headers: { "idempotency-key": key },
    });
  const callWith = async (token: string) =>
    (await send(service.origin, "GET", "/management/v1/orgs/me", { token })).status;

  let previous: { readonly token: string; readonly accessToken: string; readonly sms: string } | undefined;
  const counts: Record<string, number>[] = [];
  const people: string[] = [];
  const kids = new Set<string>();
  for (let hour = 0; hour < HOURS; hour += 1) {
    service.clockOffsetMs = hour * HOUR_MS;
    // A client that rereads the keys: this one would do so only after a minute of real time.
    if (hour === ROTATION_HOUR + 1) app = await createRelyingParty(service);
    // A person with a password, in a browser that is new each hour, after a typing error.
    const person = createPerson(service, "10.2.0.1");
    const request = createRequest(app, { scope: "openid offline_access" });
    const page = await person.submit(await person.open(request.url), { username: "ada", password: "wrong" });
    const { url } = await person.submit(page, { username: "ada", password: PASSWORD });
    const tokens = await redeem(service, app, url, request);
    kids.add(String(JSON.parse(Buffer.from(String(tokens.id_token).split(".")[0] ?? "", "base64url").toString()).kid));
    expect(await client.fetchUserInfo(app.configuration, tokens.access_token, userId)).toMatchObject({ sub: userId });
    // The session that was kept signs in without a page; the other one ended with its day.
    expect((await kept.open(String(createRequest(app).url))).location).toContain("code=");
    const still = await transient.open(String(createRequest(app).url));
    expect(still.location.includes("code=")).toBe(hour < 24);
    // A sign-in that nobody completes.
    await createPerson(service, "10.2.0.2").open(createRequest(app).url);
    // What ended within the hour.
    if (previous !== undefined) {
      await expect(client.fetchUserInfo(app.configuration, previous.accessToken, userId)).rejects.toThrow();
      expect(await callWith(previous.token)).toBe(401);
      const late = await createVisitor(service, `10.2.1.${hour % 3}`).open(`/ui/phone?code=${previous.sms}`);
      expect(late.status).toBe(410);
    }
    const { token } = await createToken(
      { db: service.db, clock },
      { id: machine.userId, orgId: service.orgId },
      new Date(clock().getTime() + HOUR_MS / 2),
    );
    expect(await callWith(token)).toBe(200);
    expect(await callWith(machine.token)).toBe(200);
    // An import that is repeated is one; after a day, its key is free for another.
    const key = `import-${hour % 25}`;
    const imported = await importOnce(hour, key);
    expect(imported.status).toBe(200);
    expect((await importOnce(hour, key)).body).toEqual(imported.body);
    const path = `/management/v1/users/${imported.body.userId}`;
    const sent = { token: service.adminToken, body: { phone: `+4179123${String(hour).padStart(4, "0")}` } };
    expect((await send(service.origin, "PUT", `${path}/phone`, sent)).status).toBe(200);
    const { code: sms } = await lastReceived(service, imported.body.userId, "phone");
    await service.delivery.deliverDue();
    expect((await createVisitor(service, "10.2.0.3").open(`/ui/phone?code=${sms}`)).status).toBe(200);
    previous = { token, accessToken: tokens.access_token, sms };
    if (hour === ROTATION_HOUR) await rotateSigningKeys({ ...service, clock });
    if (hour === RENEWAL_HOUR) certificates.renew();
    await certificates.check();
    expect(await certificates.served()).toBe(hour < RENEWAL_HOUR ? "old" : "new");
    await retention.deleteDue();
    expect({ hour, ...(await countEnded()) }).toEqual({ hour });
    counts.push(await countAll());
    people.push(path);
    // Users leave a while after their import, so that what was sent to them ends by its time.
    const leaving = people.length > 26 ? people.shift() : undefined;
    if (leaving !== undefined) await send(service.origin, "DELETE", leaving, { token: service.adminToken });
  }
  await certificates.stop();
  // The old key and its successor.
  expect(kids.size).toBe(2);
  // From the second day, the number of rows does not grow. Refresh tokens and their grants are kept for a month.
  const { oidc_artifacts: artifactsBefore = 0, ...before } = counts.at(-4) ?? {};
  const { oidc_artifacts: artifactsAfter = 0, ...after } = counts.at(-1) ?? {};
  expect(after).toEqual(before);
  expect(artifactsAfter - artifactsBefore).toBe(3 * 2);

  // After a month without users.
  service.clockOffsetMs += 33 * DAY_MS;
  await retention.deleteDue();
  await retention.stop();
  expect(await countEnded()).toEqual({});
  expect(await countAll()).toMatchObject({ oidc_artifacts: 0, idempotency_keys: 0, codes: 0, messages: 0 });
  expect((await kept.open(String(createRequest(app).url))).location).not.toContain("code=");
  // Keys older than the signing ones are no longer needed.
  await rotateSigningKeys({ ...service, clock });
  expect(await count("signing_keys")).toBe(8);
  service.clockOffsetMs += HOUR_MS;
  app = await createRelyingParty(service);
  const request = createRequest(app);
  const person = createPerson(service, "10.2.0.1");
  const { url } = await person.submit(await person.open(request.url), { username: "ada", password: PASSWORD });
  expect((await redeem(service, app, url, request)).claims()).toMatchObject({ sub: userId });
});

/** A port with a certificate that is renewed. */
async function serveCertificates() {
  const old = createCertificate(folder, { name: "old", days: 2 });
  const renewed = createCertificate(folder, { name: "new", days: 90 });
  const files = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
  const use = (pair: typeof old) => {
    copyFileSync(pair.cert, files.certFile);
    copyFileSync(pair.key, files.keyFile);
  };
  use(old);
  const first = readCertificate(files);
  const port = createPort({ handler: (exchange) => exchange.send(204, []), tls: first });
  const { port: number } = await port.listen(0, "127.0.0.1");
  const watch = watchCertificate({ files, first, use: port.replaceCertificate, clock, log: silent });
  return {
    renew: () => use(renewed),
    stop: () => port.drain(0),
    async check() {
      // A change takes effect once two consecutive reads have found it.
      await watch.check();
      await watch.check();
    },
    served: () =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ port: number, rejectUnauthorized: false });
        socket.once("error", reject).once("secureConnect", () => {
          const served = socket.getPeerX509Certificate()?.toString();
          resolve(served === readFileSync(renewed.cert, "utf8") ? "new" : "old");
          socket.destroy();
        });
      }),
  };
}
