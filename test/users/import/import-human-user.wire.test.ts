import { randomUUID } from "node:crypto";
import { type Caller, createCaller, readRestResponse } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { BCRYPT, EMOJI, HUMAN, IDP, KEY, PASSWORD, withChanges } from "../../support/clients/requests.ts";
import { readStoredEffects, type StoredEffects } from "../../support/operations/stored-effects.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { expectHuman, successOf } from "../expect-human.ts";
import { ACCEPTED_HUMANS, REJECTED_HUMANS, STORED_HUMAN } from "./import-human-user.cases.ts";

// The comment of ImportHumanUser: when an initialization email is sent.
const INITIALIZATIONS = [
  { email: "verified", credential: "none", sends: true },
  { email: "verified", credential: "password", sends: false },
  { email: "verified", credential: "hash", sends: false },
  { email: "unverified", credential: "none", sends: true },
  { email: "unverified", credential: "password", sends: true },
  { email: "unverified", credential: "hash", sends: true },
] as const;

// The comment of ImportHumanUser: when a verification SMS is sent.
const PHONES = [
  { phone: "none", provider: "none", texts: false },
  { phone: "none", provider: "file", texts: false },
  { phone: "verified", provider: "none", texts: false },
  { phone: "verified", provider: "file", texts: false },
  { phone: "unverified", provider: "none", texts: false },
  { phone: "unverified", provider: "file", texts: true },
] as const;

const CELLS = INITIALIZATIONS.flatMap((initialization) =>
  PHONES.flatMap((phone) => ["a link", "no link"].map((passkey) => ({ ...initialization, ...phone, passkey }))),
);

/** Events, codes and messages of a cell. */
function effectsOf({ email, sends, phone, texts, passkey }: (typeof CELLS)[number]): StoredEffects {
  const wantsLink = passkey === "a link";
  return {
    events: [
      "user.human.added",
      ...(email === "verified" ? ["user.human.email.verified"] : []),
      ...(phone === "verified" ? ["user.human.phone.verified"] : []),
      ...(sends ? ["user.human.initialization.requested"] : []),
      ...(texts ? ["user.human.phone.verification.requested"] : []),
      ...(wantsLink ? ["user.human.passwordless.registration.requested"] : []),
    ],
    codes: [...(sends ? ["initialization"] : []), ...(texts ? ["phone"] : []), ...(wantsLink ? ["passkey"] : [])],
    messages: [
      ...(sends ? ["initialization by email to ada@example.com"] : []),
      ...(texts ? ["phone by sms to +41791234567"] : []),
    ],
  };
}

let count = 0;
const newName = () => `ada-${++count}`;

let service: TestService;
let texting: TestService;
let caller: Caller;
let textingCaller: Caller;
beforeAll(async () => {
  service = await startService("postgres");
  texting = await startService("postgres", { SMS_PROVIDER: "file" });
  for (const each of [service, texting]) {
    each.secret(PASSWORD);
    each.secret(BCRYPT);
  }
  caller = createCaller("grpc", service, service.adminToken);
  textingCaller = createCaller("grpc", texting, texting.adminToken);
});
afterAll(async () => {
  caller?.close();
  textingCaller?.close();
  await texting?.close();
  await service?.close();
});

const importHuman = (changes: object = {}, headers = {}) =>
  caller.call("ImportHumanUser", withChanges({ userName: newName(), ...HUMAN }, changes), headers);

describe("a user", () => {
  test.each(ACCEPTED_HUMANS)("is stored with $title", async ({ changes, stored, secret }) => {
    if (secret !== undefined) service.secret(secret);
    const userName = newName();
    const outcome = await importHuman({ userName, ...changes });
    await expectHuman(service, outcome, { userName, ...STORED_HUMAN, ...stored });
  });

  test.each(REJECTED_HUMANS)("is rejected with $title", async ({ changes, fields, secret }) => {
    if (secret !== undefined) service.secret(secret);
    await expectError(service.db, "grpc", () => importHuman(changes), "INVALID_ARGUMENT", fields);
  });
});

test("a password and a hash that are both empty count as none", async () => {
  const outcome = await importHuman({ password: "", hashedPassword: { value: "" } });
  const { userId } = successOf(outcome);
  const { password_hash, initialized } = await service.db
    .selectFrom("users")
    .select(["password_hash", "initialized"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  expect({ password_hash, initialized }).toEqual({ password_hash: null, initialized: false });
});

test("a password and a hash at once are rejected with the way out", async () => {
  service.secret(PASSWORD);
  expect(await importHuman({ password: PASSWORD })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^hashedPassword: .*leave out password .* or hashedPassword/),
  });
});

describe("the example of the published guide", () => {
  const guide = (configId: string) => ({
    userName: "test9@test9",
    profile: { firstName: "Road", lastName: "Runner", displayName: "Road Runner", preferredLanguage: "en" },
    email: { email: "test@test.com", isEmailVerified: false },
    hashedPassword: {
      value: "$2a$14$aPbwhMVJSVrRRW2NoM/5.esSJO6o/EIGzGxWiM5SAEZlGqCsr9DAK",
      algorithm: "bcrypt",
    },
    passwordChangeRequired: false,
    otpCode: "testotp",
    requestPasswordlessRegistration: false,
    idps: [{ configId, externalUserId: "roadrunner@mailonline.com", displayName: "name" }],
  });

  test("is imported, with the id of a provider", async () => {
    const { message } = successOf(await caller.call("AddOIDCIDP", IDP));
    const rest = createCaller("rest", service, service.adminToken);
    const outcome = await rest.call("ImportHumanUser", guide(String(message.idpId)));
    rest.close();
    expect(outcome).toMatchObject({ ok: true });
  });
});

describe("a user name", () => {
  test("is trimmed and otherwise stored unchanged", async () => {
    const userName = "Ada L\u00d3velace";
    const outcome = await importHuman({ userName: `\u00a0\t ${userName} \u3000` });
    await expectHuman(service, outcome, { userName, ...STORED_HUMAN });
  });

  test("has at most 500 characters", async () => {
    const userName = "x".repeat(250) + EMOJI.repeat(250);
    const outcome = await importHuman({ userName: ` ${userName} ` });
    await expectHuman(service, outcome, { userName, ...STORED_HUMAN });
  });

  test("is taken in every spelling, even if a machine user has it", async () => {
    expect(await importHuman({ userName: `Ren\u00e9e.x` })).toMatchObject({ ok: true });
    for (const userName of [
      `Ren\u00e9e.x`,
      `REN\u00c9E.X`,
      `rene\u0301e.x`,
      `RENE\u0301E.x`,
      ` ren\u00e9e.x\u3000`,
      "Admin",
    ]) {
      await expectError(service.db, "grpc", () => importHuman({ userName }), "USER_NAME_TAKEN");
    }
    expect(await importHuman({ userName: `Renee.x` })).toMatchObject({ ok: true });
  });

  test("is available in another organization", async () => {
    const userName = newName();
    const orgId = await service.createOrg("Names");
    expect(await importHuman({ userName })).toMatchObject({ ok: true });
    const outcome = await importHuman({ userName }, { "x-service-orgid": orgId });
    await expectHuman(service, outcome, { userName, ...STORED_HUMAN }, { orgId });
    const again = () => importHuman({ userName }, { "x-service-orgid": orgId });
    await expectError(service.db, "grpc", again, "USER_NAME_TAKEN");
  });
});

describe("a one-time code", () => {
  test.each([
    ["one character", "1"],
    ["eight characters", "one-time-code-71"],
    ["500 emoji", KEY.repeat(500)],
    [
      "a URI of 240 characters",
      `otpauth://totp/Example:ada@example.com?secret=${"JBSWY3DPEHPK3PXP".repeat(2)}&issuer=Example&algorithm=SHA1&digits=6&period=30&image=https://example.com/${"logo/".repeat(15)}i.png`.slice(
        0,
        240,
      ),
    ],
  ])("of %s is encrypted", async (_what, otpCode) => {
    if (otpCode.length > 1) service.secret(otpCode);
    const userName = newName();
    const outcome = await importHuman({ userName, otpCode });
    const userId = await expectHuman(service, outcome, { userName, ...STORED_HUMAN }, { otpCode });
    expect(userId).not.toBe("");
  });

  test("that is empty is not stored", async () => {
    const userName = newName();
    const outcome = await importHuman({ userName, otpCode: "" });
    await expectHuman(service, outcome, { userName, ...STORED_HUMAN });
  });
});

describe("a link to an identity provider", () => {
  let idps: { instance: string; own: string; other: string };
  let otherOrg: string;
  beforeAll(async () => {
    otherOrg = await service.createOrg("Links");
    const add = async (rpc: "AddOIDCIDP" | "AddOrgOIDCIDP", headers = {}) => {
      const outcome = await caller.call(rpc, IDP, headers);
      return outcome.ok ? String(outcome.message.idpId) : "";
    };
    idps = {
      instance: await add("AddOIDCIDP"),
      own: await add("AddOrgOIDCIDP"),
      other: await add("AddOrgOIDCIDP", { "x-service-orgid": otherOrg }),
    };
  });

  test("is stored for a provider of the instance and for one of the organization", async () => {
    const userName = newName();
    const longest = { configId: idps.own, externalUserId: "", displayName: EMOJI.repeat(200) };
    const given = [
      { configId: idps.own, externalUserId: userName, displayName: "Ada" },
      { configId: idps.instance.toUpperCase(), externalUserId: userName },
      // External ids are case-sensitive, and unique per provider.
      { configId: idps.instance, externalUserId: userName.toUpperCase(), displayName: "" },
      { ...longest, externalUserId: `${userName} ${"x".repeat(199 - userName.length)}` },
    ];
    const outcome = await importHuman({ userName, idps: given });
    const links = given.map(({ configId, externalUserId, displayName = "" }) => ({
      idpId: configId.toLowerCase(),
      externalUserId,
      displayName,
    }));
    await expectHuman(service, outcome, { userName, ...STORED_HUMAN, sequence: 6n }, { links });
    const rows = await service.db
      .selectFrom("user_idp_links")
      .selectAll()
      .where("external_user_id", "ilike", `${userName}%`)
      .where("org_id", "=", service.orgId)
      .execute();
    const { userId, at } = successOf(outcome);
    expect(rows.sort(byKey)).toEqual(
      links
        .map(({ idpId, externalUserId, displayName }) => ({
          org_id: service.orgId,
          idp_id: idpId,
          idp_owner_id: idpId === idps.own ? service.orgId : service.instanceId,
          external_user_id: externalUserId,
          user_id: userId,
          display_name: displayName,
          created_at: at,
        }))
        .sort(byKey),
    );
  });

  test("is rejected for an unknown provider and for one of another organization", async () => {
    const known = { configId: idps.own, externalUserId: newName() };
    for (const configId of [
      randomUUID(),
      idps.other,
      service.orgId,
      "google",
      "{00000000-0000-7000-8000-000000000000}",
      EMOJI.repeat(200),
    ]) {
      const unknown = { configId, externalUserId: newName() };
      await expectError(service.db, "grpc", () => importHuman({ idps: [unknown] }), "IDP_NOT_FOUND");
      await expectError(service.db, "grpc", () => importHuman({ idps: [known, unknown] }), "IDP_NOT_FOUND");
    }
    const elsewhere = () => importHuman({ idps: [known] }, { "x-service-orgid": otherOrg });
    await expectError(service.db, "grpc", elsewhere, "IDP_NOT_FOUND");
    const there = { idps: [{ configId: idps.other, externalUserId: newName() }] };
    expect(await importHuman(there, { "x-service-orgid": otherOrg })).toMatchObject({ ok: true });
  });

  test("is rejected if the external user is already linked in the same organization", async () => {
    const first = { configId: idps.instance, externalUserId: newName() };
    const second = { configId: idps.own, externalUserId: newName() };
    expect(await importHuman({ idps: [first, second] })).toMatchObject({ ok: true });
    for (const taken of [first, second, { ...first, configId: first.configId.toUpperCase() }]) {
      const free = { configId: idps.own, externalUserId: newName() };
      await expectError(service.db, "grpc", () => importHuman({ idps: [taken] }), "IDP_LINK_TAKEN");
      await expectError(service.db, "grpc", () => importHuman({ idps: [free, taken] }), "IDP_LINK_TAKEN");
      // Nothing about the user who has the link.
      expect(await importHuman({ idps: [free, taken] })).toMatchObject({
        message: "idps[1]: the external user is already linked in the organization",
        metadata: { field: "idps[1]" },
      });
    }
    const both = await importHuman({ idps: [second, { configId: idps.own, externalUserId: newName() }, first] });
    expect(both).toMatchObject({ metadata: { field: "idps[0], idps[2]" } });
    const swapped = { configId: idps.own, externalUserId: first.externalUserId };
    expect(await importHuman({ idps: [swapped] })).toMatchObject({ ok: true });
    expect(await importHuman({ idps: [first] }, { "x-service-orgid": otherOrg })).toMatchObject({ ok: true });
  });

  test("is rejected twice in one request, also with the id in another case", async () => {
    const link = { configId: idps.own, externalUserId: newName() };
    const same = { ...link, configId: link.configId.toUpperCase() };
    const other = { ...link, externalUserId: newName() };
    for (const [links, field] of [
      [[link, link], "idps[1]"],
      [[link, other, same], "idps[2]"],
    ] as const) {
      await expectError(service.db, "grpc", () => importHuman({ idps: links }), "INVALID_ARGUMENT", [field]);
    }
  });
});

test.each(CELLS)(
  "email $email, credential $credential, phone $phone, SMS provider $provider, $passkey requested",
  async (cell) => {
    const [at, via] = cell.provider === "file" ? [texting, textingCaller] : [service, caller];
    const userName = newName();
    const outcome = await via.call(
      "ImportHumanUser",
      withChanges(
        { userName, profile: HUMAN.profile },
        {
          email: { email: "ada@example.com", isEmailVerified: cell.email === "verified" },
          ...(cell.credential === "password" && { password: PASSWORD }),
          ...(cell.credential === "hash" && { hashedPassword: { value: BCRYPT } }),
          ...(cell.phone !== "none" && {
            phone: { phone: "+41 79 123 45 67", isPhoneVerified: cell.phone === "verified" },
          }),
          ...(cell.passkey === "a link" && { requestPasswordlessRegistration: true }),
        },
      ),
    );
    const { events, codes, messages } = effectsOf(cell);
    const passwords = { none: null, password: { bcryptOf: PASSWORD }, hash: BCRYPT };
    await expectHuman(
      at,
      outcome,
      {
        userName,
        ...STORED_HUMAN,
        sequence: BigInt(events.length),
        email_verified: cell.email === "verified",
        phone: cell.phone === "none" ? null : "+41791234567",
        phone_verified: cell.phone === "verified",
        password_hash: passwords[cell.credential],
      },
      { effects: { events, codes, messages }, passkey: cell.passkey === "a link" },
    );
  },
);

test.each([
  ["an unknown gender name", { profile: { ...HUMAN.profile, gender: "OTHER" } }, "profile.gender"],
  ["a lone surrogate in the user name", { userName: "ada\ud800" }, "userName"],
  ["a lone surrogate in a name", { profile: { ...HUMAN.profile, lastName: "\udc00" } }, "profile.lastName"],
  ["a lone surrogate in the password", { hashedPassword: undefined, password: `${PASSWORD}\ud800` }, "password"],
  [
    "null as a password, with an algorithm alone",
    { password: null, hashedPassword: { algorithm: "bcrypt" } },
    "hashedPassword.value",
  ],
  ["an unknown field", { username: "ada" }, "username"],
])("REST rejects %s", async (_what, changes, field) => {
  const post = async () =>
    readRestResponse(
      await fetch(`${service.origin}/management/v1/users/human/_import`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${service.adminToken}` },
        body: JSON.stringify({ userName: newName(), ...HUMAN, ...changes }),
      }),
    );
  await expectError(service.db, "rest", post, "INVALID_ARGUMENT", [field]);
});

test("the code of a message is in no event, log line or response", async () => {
  const caller = createCaller("rest", texting, texting.adminToken);
  const outcome = await caller.call("ImportHumanUser", {
    userName: newName(),
    profile: HUMAN.profile,
    email: { email: "ada@example.com" },
    phone: { phone: "+41791234567" },
  });
  const { userId, at } = successOf(outcome);
  const { secrets } = await readStoredEffects(texting, { userId, at });
  expect(secrets).toHaveLength(2);
  // `close` rejects if it finds one of them.
  for (const secret of secrets) texting.secret(secret);
  caller.close();
});

function byKey(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
