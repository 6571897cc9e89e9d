import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { readSchema } from "../../src/database/copy/read-schema.ts";
import { codeOfStep, parseTotpSecret, stepAt } from "../../src/sign-in/code/totp.ts";
import { createPng } from "../support/branding.ts";
import { createAuthenticator } from "../support/browsers/passkey-authenticator.ts";
import { siteOf, storePasskey, toUserHandle } from "../support/browsers/passkeys.ts";
import { createPerson } from "../support/browsers/person.ts";
import { call, changePhone, importAda, lastReceived } from "../support/browsers/visitor.ts";
import { createCaller } from "../support/clients/callers.ts";
import { chooseIdp, type OtherProviders, registerIdp } from "../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, redeem } from "../support/oidc/relying-party.ts";
import type { TestService } from "../support/servers/service.ts";

export const PASSWORD = "analytical engine no. 1";
const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const VERIFIED = { email: { email: "ada@example.com", isEmailVerified: true }, password: PASSWORD };

/** The number of rows of each table. */
export async function countRows({ db }: Pick<TestService, "db">): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of await readSchema(db)) {
    const { rows } = await sql<{ count: string }>`select count(*)::text as count from ${sql.table(name)}`.execute(db);
    counts[name] = Number(rows[0]?.count);
  }
  return counts;
}

/** The code that an authenticator app shows. */
export function oneTimeCode({ clock }: TestService, base32 = OTP_SECRET): string {
  const secret = parseTotpSecret(base32);
  if (secret === undefined) throw new Error("no secret");
  return codeOfStep(secret, stepAt(secret, clock()));
}

/** A call with an idempotency key, which creates a user. */
export async function importOnce(service: TestService) {
  const request = {
    userName: "once",
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: "once@example.com" },
    requestPasswordlessRegistration: true,
  } as JsonObject;
  return createCaller("rest", service, service.adminToken).call("ImportHumanUser", request, {
    "idempotency-key": "import-once",
  });
}

/** The second page of a list, by the token of the first page. */
export async function listUsers(service: TestService, pageToken?: string) {
  const query = { limit: 2, asc: true, ...(pageToken && { pageToken }) };
  const { details, result } = await call(service, "ListUsers", { query });
  const ids = (result as { id: string }[]).map(({ id }) => id);
  return { ids, next: String((details as JsonObject).nextPageToken) };
}

/**
 * Uses the service like applications and people, so that every table has a row and something is in progress everywhere.
 *
 * @returns The data needed to continue.
 */
export async function fillEveryTable(service: TestService, providers: OtherProviders) {
  for (const secret of [PASSWORD, OTP_SECRET]) service.secret(secret);
  const app = await createRelyingParty(service);
  // The pages remember the providers of an organization for a few seconds, so it comes first.
  const idp = await registerIdp(service, providers, { account: { sub: "grace" } });

  // A session, and tokens of an application.
  await importAda(service, { userName: "ada", ...VERIFIED, otpCode: OTP_SECRET });
  const ada = createPerson(service);
  const request = createRequest(app, { scope: "openid offline_access", prompt: "consent" });
  const gate = await ada.submit(await ada.open(request.url), { username: "ada", password: PASSWORD });
  const tokens = await redeem(service, app, (await ada.submit(gate, { code: oneTimeCode(service) })).url, request);

  // Recovery codes of a user who had no one-time codes before.
  await importAda(service, { userName: "carol", ...VERIFIED });
  const carol = createPerson(service);
  await carol.submit(await carol.open("/ui/account"), { username: "carol", password: PASSWORD });
  const setUp = await carol.open("/ui/account/one-time-code");
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(setUp.text)?.[1]?.replaceAll(" ", "") ?? "";
  const done = await carol.submit(setUp, { code: oneTimeCode(service, secret) });
  const [, recoveryCode = ""] = /<li><code>([A-Z2-7-]+)<\/code>/.exec(done.text) ?? [];

  // A passkey.
  const daveId = await importAda(service, { userName: "dave", ...VERIFIED });
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, daveId, authenticator);

  // A message that was sent, one that waits, and an SMS with digits.
  const erinId = await importAda(service, { userName: "erin", email: { email: "erin@example.com" } });
  const erinPath = await linkOf(service, erinId);
  await service.delivery.deliverDue();
  const frankId = await importAda(service, { userName: "frank", email: { email: "frank@example.com" } });
  await changePhone(service, daveId);

  // A linked user who is at another provider, and a failed sign-in.
  const link = { configId: idp.id, externalUserId: "grace", displayName: "grace@other" };
  await importAda(service, { userName: "grace", ...VERIFIED, idps: [link] });
  const grace = createPerson(service);
  const graceRequest = createRequest(app);
  const atProvider = await chooseIdp(grace, await grace.open(graceRequest.url), idp);
  const mallory = createPerson(service);
  await mallory.submit(await mallory.open("/ui/account"), { username: "ada", password: "wrong password" });
  await service.failedSignIns.store(service.db);

  await fillPolicies(service);
  const newcomer = createPerson(service);
  const { url } = await newcomer.open(createRequest(app).url);
  await newcomer.submit(await newcomer.open(String(url).replace("?", "/register?")), { email: "ivan@example.com" });
  await call(service, "SetUserMetadata", { id: daveId, key: "plan", value: Buffer.from("pro").toString("base64") });
  const wiki = { name: "Wiki", redirectUris: ["https://wiki.example/signed-in"], roles: ["editor"] };
  const { appId } = await call(service, "AddOIDCApp", wiki);
  await call(service, "AddUserAppRoles", { userId: daveId, appId: String(appId), roles: ["editor"] });
  await call(service, "AddAPI", { name: "Orders", identifier: "https://api.example.com/orders" });
  const phone = { phone: "+41791234568", isPhoneVerified: true };
  await importAda(service, { userName: "heidi", ...VERIFIED, phone, subject: "auth0|heidi" });

  // The address is private, so nothing is sent.
  await call(service, "AddWebhook", { name: "CRM", url: "http://127.0.0.1:9/" });
  await service.webhooks.deliverDue();
  await call(service, "SetPasswordHook", { url: "http://127.0.0.1:9/" });
  const { id: connectionId, token: scimToken } = await call(service, "AddScimConnection", { name: "Entra ID" });
  await fetch(`${service.origin}/scim/v2/Users`, { headers: { authorization: `Bearer ${String(scimToken)}` } });
  await call(service, "ListScimRequests", { id: String(connectionId) });

  const imported = await importOnce(service);
  const robot = await service.createToken({ orgId: service.orgId, role: "ORG_USER_MANAGER" });
  const { ids, next } = await listUsers(service);
  return {
    app,
    ada: { person: ada, refreshToken: String(tokens.refresh_token), accessToken: tokens.access_token },
    carol: { recoveryCode },
    dave: { authenticator, userHandle: toUserHandle(daveId), sms: await lastReceived(service, daveId, "phone") },
    erin: { path: erinPath },
    frank: { path: await linkOf(service, frankId) },
    grace: { person: grace, atProvider, request: graceRequest },
    imported,
    robot,
    firstPage: { ids, next },
  };
}

/** Policies and a domain of the organization. */
async function fillPolicies(service: TestService): Promise<void> {
  await call(service, "AddCustomLabelPolicy", { name: "Example" });
  const data = createPng().toString("base64");
  await call(service, "UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_LOGO", data });
  const waysIn = { allowUsernamePassword: true, allowExternalIdp: true, allowRegister: true };
  await call(service, "AddCustomLoginPolicy", { ...waysIn, passwordlessType: "PASSWORDLESS_TYPE_ALLOWED" });
  await call(service, "AddOrgDomain", { domain: "example.com" });
}

/** The link of the initialization email. */
async function linkOf(service: TestService, userId: string): Promise<string> {
  return (await lastReceived(service, userId, "initialization")).path;
}
