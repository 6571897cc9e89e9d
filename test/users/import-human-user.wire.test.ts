import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { compareSync } from "bcryptjs";
import { expectRefusal, IDP, withChanges } from "../idps/cases.ts";
import { type Caller, createCaller, FORMS, type Outcome, readRestAnswer } from "../support/callers.ts";
import { DATABASE_KINDS } from "../support/database.ts";
import { startService, type TestService } from "../support/service.ts";
import {
  ACCEPTED,
  BCRYPT,
  HUMAN,
  KEY,
  PASSWORD,
  REFUSED,
  readTrace,
  STORED_HUMAN,
  sha256,
  type Trace,
} from "./import-human-user.cases.ts";

// docs/api.md, ImportHumanUser: an initialization email, or none.
const INITIALIZATIONS = [
  { email: "verified", credential: "none", sends: true },
  { email: "verified", credential: "password", sends: false },
  { email: "verified", credential: "hash", sends: false },
  { email: "unverified", credential: "none", sends: true },
  { email: "unverified", credential: "password", sends: true },
  { email: "unverified", credential: "hash", sends: true },
] as const;

// Section 3, rule 3, which holds for a number at creation as well: an SMS, or none.
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
function traceOf({ email, sends, phone, texts, passkey }: (typeof CELLS)[number]): Trace {
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

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  let texting: TestService;
  beforeAll(async () => {
    service = await startService(kind);
    texting = await startService(kind, { SMS_PROVIDER: "file" });
    for (const each of [service, texting]) {
      each.secret(PASSWORD);
      each.secret(BCRYPT);
    }
  });
  afterAll(async () => {
    await texting.close();
    await service.close();
  });

  describe.each(FORMS)("over %s", (form) => {
    let caller: Caller;
    let textingCaller: Caller;
    beforeAll(() => {
      caller = createCaller(form, service, service.adminToken);
      textingCaller = createCaller(form, texting, texting.adminToken);
    });
    afterAll(() => {
      caller.close();
      textingCaller.close();
    });

    const importHuman = (changes: object = {}, headers = {}) =>
      caller.call("ImportHumanUser", withChanges({ userName: newName(), ...HUMAN }, changes), headers);

    describe("a user", () => {
      test.each(ACCEPTED)("is stored with $title", async ({ changes, stored, secret }) => {
        if (secret !== undefined) service.secret(secret);
        const userName = newName();
        const outcome = await importHuman({ userName, ...changes });
        await expectHuman(service, outcome, { userName, ...STORED_HUMAN, ...stored });
      });

      test.each(REFUSED)("is refused with $title", async ({ changes, fields, secret }) => {
        if (secret !== undefined) service.secret(secret);
        await expectRefusal(service.db, form, () => importHuman(changes), "INVALID_ARGUMENT", fields);
      });
    });

    describe("a user name", () => {
      test("is trimmed and then stored as it was given", async () => {
        const userName = `Ada ${form} L\u00d3velace`;
        const outcome = await importHuman({ userName: `\u00a0\t ${userName} \u3000` });
        await expectHuman(service, outcome, { userName, ...STORED_HUMAN });
      });

      test("has at most 500 characters", async () => {
        const userName = `${form} `.padEnd(250, "x") + "\u{1f600}".repeat(250);
        const outcome = await importHuman({ userName: ` ${userName} ` });
        await expectHuman(service, outcome, { userName, ...STORED_HUMAN });
      });

      test("is taken for every spelling of the same, and for a machine user's", async () => {
        expect(await importHuman({ userName: `Ren\u00e9e.${form}` })).toMatchObject({ ok: true });
        for (const userName of [
          `Ren\u00e9e.${form}`,
          `REN\u00c9E.${form.toUpperCase()}`,
          `rene\u0301e.${form}`,
          `RENE\u0301E.${form}`,
          ` ren\u00e9e.${form}\u3000`,
          "Admin",
        ]) {
          await expectRefusal(service.db, form, () => importHuman({ userName }), "USER_NAME_TAKEN");
        }
        expect(await importHuman({ userName: `Renee.${form}` })).toMatchObject({ ok: true });
      });

      test("is free in another organization", async () => {
        const userName = newName();
        const orgId = await service.createOrg(`Names ${form}`);
        expect(await importHuman({ userName })).toMatchObject({ ok: true });
        const outcome = await importHuman({ userName }, { "x-service-orgid": orgId });
        await expectHuman(service, outcome, { userName, ...STORED_HUMAN }, { orgId });
        const again = () => importHuman({ userName }, { "x-service-orgid": orgId });
        await expectRefusal(service.db, form, again, "USER_NAME_TAKEN");
      });
    });

    describe("a one-time code", () => {
      test.each([
        ["one character", "1"],
        ["eight characters", "one-time-code-71"],
        ["200 emoji", KEY.repeat(200)],
      ])("of %s is encrypted", async (_what, otpCode) => {
        if (otpCode.length > 1) service.secret(otpCode);
        const userName = newName();
        const outcome = await importHuman({ userName, otpCode });
        const userId = await expectHuman(service, outcome, { userName, ...STORED_HUMAN }, { otpCode });
        expect(userId).not.toBe("");
      });

      test("that is empty is none", async () => {
        const userName = newName();
        const outcome = await importHuman({ userName, otpCode: "" });
        await expectHuman(service, outcome, { userName, ...STORED_HUMAN });
      });
    });

    describe("a link to an identity provider", () => {
      let idps: { instance: string; own: string; other: string };
      let otherOrg: string;
      beforeAll(async () => {
        otherOrg = await service.createOrg(`Links ${form}`);
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
        const longest = { configId: idps.own, externalUserId: "", displayName: "\u{1f600}".repeat(200) };
        const given = [
          { configId: idps.own, externalUserId: userName, displayName: "Ada" },
          { configId: idps.instance.toUpperCase(), externalUserId: userName },
          // An external id is told apart by case, and belongs to its provider.
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

      test("is refused for a provider that is not to be had there", async () => {
        const known = { configId: idps.own, externalUserId: newName() };
        for (const configId of [
          randomUUID(),
          idps.other,
          service.orgId,
          "google",
          "{00000000-0000-7000-8000-000000000000}",
          "\u{1f600}".repeat(200),
        ]) {
          const unknown = { configId, externalUserId: newName() };
          await expectRefusal(service.db, form, () => importHuman({ idps: [unknown] }), "IDP_NOT_FOUND");
          await expectRefusal(service.db, form, () => importHuman({ idps: [known, unknown] }), "IDP_NOT_FOUND");
        }
        const elsewhere = () => importHuman({ idps: [known] }, { "x-service-orgid": otherOrg });
        await expectRefusal(service.db, form, elsewhere, "IDP_NOT_FOUND");
        const there = { idps: [{ configId: idps.other, externalUserId: newName() }] };
        expect(await importHuman(there, { "x-service-orgid": otherOrg })).toMatchObject({ ok: true });
      });

      test("is refused when the external user is linked already in the organization, and there alone", async () => {
        const first = { configId: idps.instance, externalUserId: newName() };
        const second = { configId: idps.own, externalUserId: newName() };
        expect(await importHuman({ idps: [first, second] })).toMatchObject({ ok: true });
        for (const taken of [first, second, { ...first, configId: first.configId.toUpperCase() }]) {
          const free = { configId: idps.own, externalUserId: newName() };
          await expectRefusal(service.db, form, () => importHuman({ idps: [taken] }), "IDP_LINK_TAKEN");
          await expectRefusal(service.db, form, () => importHuman({ idps: [free, taken] }), "IDP_LINK_TAKEN");
        }
        const swapped = { configId: idps.own, externalUserId: first.externalUserId };
        expect(await importHuman({ idps: [swapped] })).toMatchObject({ ok: true });
        expect(await importHuman({ idps: [first] }, { "x-service-orgid": otherOrg })).toMatchObject({ ok: true });
      });

      test("is refused twice in one request, in whatever case the id is written", async () => {
        const link = { configId: idps.own, externalUserId: newName() };
        const same = { ...link, configId: link.configId.toUpperCase() };
        const other = { ...link, externalUserId: newName() };
        for (const [links, field] of [
          [[link, link], "idps[1]"],
          [[link, other, same], "idps[2]"],
        ] as const) {
          await expectRefusal(service.db, form, () => importHuman({ idps: links }), "INVALID_ARGUMENT", [field]);
        }
      });
    });

    test.each(CELLS)(
      "email $email, credential $credential, phone $phone, SMS provider $provider, $passkey asked for",
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
        const { events, codes, messages } = traceOf(cell);
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
          { trace: { events, codes, messages }, passkey: cell.passkey === "a link" },
        );
      },
    );
  });

  test.each([
    ["a gender that has no such name", { profile: { ...HUMAN.profile, gender: "OTHER" } }, "profile.gender"],
    ["a lone surrogate in the user name", { userName: "ada\ud800" }, "userName"],
    ["a lone surrogate in a name", { profile: { ...HUMAN.profile, lastName: "\udc00" } }, "profile.lastName"],
    ["a lone surrogate in the password", { hashedPassword: undefined, password: `${PASSWORD}\ud800` }, "password"],
    ["null as a password beside a hash that is none", { password: null, hashedPassword: {} }, "hashedPassword.value"],
    ["a field that is not known", { username: "ada" }, "username"],
  ])("REST refuses %s", async (_what, changes, field) => {
    const post = async () =>
      readRestAnswer(
        await fetch(`${service.origin}/management/v1/users/human/_import`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${service.adminToken}` },
          body: JSON.stringify({ userName: newName(), ...HUMAN, ...changes }),
        }),
      );
    await expectRefusal(service.db, "rest", post, "INVALID_ARGUMENT", [field]);
  });

  test("the code of a message stands in no event, log line or answer", async () => {
    const caller = createCaller("rest", texting, texting.adminToken);
    const outcome = await caller.call("ImportHumanUser", {
      userName: newName(),
      profile: HUMAN.profile,
      email: { email: "ada@example.com" },
      phone: { phone: "+41791234567" },
    });
    const { userId, at } = successOf(outcome);
    const { secrets } = await readTrace(texting, { userId, at });
    expect(secrets).toHaveLength(2);
    // The search at the end throws where it finds one.
    for (const secret of secrets) texting.secret(secret);
    caller.close();
  });
});

type Link = { idpId: string; externalUserId: string; displayName: string };

/** Expects the answer of a success, and all that it left: the row, the events with their payloads, codes, messages. */
async function expectHuman(
  service: TestService,
  outcome: Outcome,
  { userName, ...stored }: { userName: string } & typeof STORED_HUMAN,
  {
    orgId = service.orgId,
    otpCode,
    links = [],
    trace,
    passkey = false,
  }: { orgId?: string; otpCode?: string; links?: Link[]; trace?: Trace; passkey?: boolean } = {},
): Promise<string> {
  expect(outcome).toEqual({
    ok: true,
    headers: expect.not.objectContaining({ deprecation: expect.anything() }),
    message: {
      userId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      details: {
        sequence: `${stored.sequence}`,
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: orgId,
      },
      ...(passkey && {
        passwordlessRegistration: { link: expect.any(String), lifetime: "3600s", expiration: "3600s" },
      }),
    },
  });
  const { userId, at, message } = successOf(outcome);
  expect((message.details as JsonObject).changeDate).toBe((message.details as JsonObject).creationDate);

  const row = await service.db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
  const { otp_code, otp_code_key, password_hash, user_name_key, ...plain } = row;
  const { password_hash: expectedHash, ...expected } = stored;
  expect(plain).toEqual({
    org_id: orgId,
    id: userId,
    user_name: userName,
    created_at: at,
    changed_at: at,
    ...expected,
  });
  expect(user_name_key).toBe(userName.normalize("NFC").toLowerCase());
  expectPassword(password_hash, expectedHash);
  const place = { table: "users", column: "otp_code", rowId: userId };
  const opened = otp_code && service.keyring.open(place, { keyId: otp_code_key ?? "", ciphertext: otp_code });
  expect(opened).toBe(otpCode ?? null);

  const { events, codes, messages, payloads } = await readTrace(service, { userId, at });
  expect({ events, codes, messages }).toEqual(
    trace ?? {
      events: [
        "user.human.added",
        ...links.map(() => "user.human.idp.linked"),
        "user.human.email.verified",
        ...(stored.phone_verified ? ["user.human.phone.verified"] : []),
      ],
      codes: [],
      messages: [],
    },
  );
  const added = {
    userName,
    firstName: stored.first_name,
    lastName: stored.last_name,
    nickName: stored.nick_name,
    displayName: stored.display_name,
    preferredLanguage: stored.preferred_language,
    gender: stored.gender,
    email: stored.email,
    phone: stored.phone,
    hasPassword: stored.password_hash !== null,
    passwordChangeRequired: stored.password_change_required,
  };
  const payloadsByType: Record<string, unknown> = {
    "user.human.email.verified": { email: stored.email },
    "user.human.phone.verified": { phone: stored.phone },
  };
  const requested = { codeId: expect.any(String) };
  expect(payloads).toEqual([
    added,
    ...links,
    ...events.slice(1 + links.length).map((type) => payloadsByType[type] ?? requested),
  ]);
  if (passkey) await expectPasskeyLink(service, message, payloads.at(-1));
  return userId;
}

async function expectPasskeyLink(service: TestService, message: JsonObject, payload: unknown): Promise<void> {
  const { link } = message.passwordlessRegistration as { link: string };
  const [url, code = ""] = link.split("?code=");
  expect(url).toBe(`${service.config.publicUrl}/ui/passkey`);
  const [id = "", secret = ""] = code.split(".");
  expect({ codeId: id }).toEqual(payload);
  expect(secret).toMatch(/^[\w-]{22}$/);
  const row = await service.db.selectFrom("codes").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ kind: "passkey", user_id: message.userId, secret_hash: sha256(secret) });
}

/** A hash is stored as it was given, and that of a password in clear form is its own. */
function expectPassword(stored: string | null, expected: unknown): void {
  const password = (expected as { bcryptOf?: string } | null)?.bcryptOf;
  if (password === undefined) {
    expect(stored).toBe(expected);
  } else {
    expect(stored).toMatch(/^\$2b\$04\$/);
    expect(compareSync(password, stored ?? "")).toBe(true);
  }
}

function successOf(outcome: Outcome): { userId: string; at: Date; message: JsonObject } {
  if (!outcome.ok) throw new Error(`refused: ${outcome.message}`);
  const { userId, details } = outcome.message as { userId: string; details: { creationDate: string } };
  return { userId, at: new Date(details.creationDate), message: outcome.message };
}

function byKey(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
