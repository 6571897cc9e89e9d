import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { expectOidcIdp } from "../idps/expect-oidc-idp.ts";
import { acceptedIdps, type IdpRpc, rejectedIdps, STORED_IDP } from "../idps/oidc-idp.cases.ts";
import { casesTitled } from "../support/cases-titled.ts";
import { type Caller, createCaller, type Outcome, PROTOCOLS } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { frame, openConnections, RAW_PROTOCOLS, rawRequest } from "../support/clients/raw-calls.ts";
import { BCRYPT, CLIENT_SECRET, EMOJI, HUMAN, IDP, KEY, PASSWORD, withChanges } from "../support/clients/requests.ts";
import { readStoredEffects } from "../support/operations/stored-effects.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { expectHuman } from "../users/expect-human.ts";
import { ACCEPTED_HUMANS, REJECTED_HUMANS, STORED_HUMAN } from "../users/import/import-human-user.cases.ts";

/**
 * Representatives of each RPC on the protocols and the database that the full tables do not use: those run over gRPC on
 * PostgreSQL, in test/idps and test/users. The protocols do not depend on the database, so one of them reaches the other one.
 */
const SETTINGS = [
  { kind: "postgres", protocols: PROTOCOLS.filter((protocol) => protocol !== "grpc") },
  { kind: "embedded", protocols: ["grpc"] },
] as const;

const IDP_RPCS = ["AddOIDCIDP", "AddOrgOIDCIDP"] as const satisfies IdpRpc[];
const RPCS = [...IDP_RPCS, "ImportHumanUser", "UpdateHumanPhone"] as const;
const NUMBER = "+41791234567";

const since = { deprecation: "@1795219200" };
const DEPRECATION = {
  AddOIDCIDP: { ...since, link: '</admin/v1/idps/generic_oidc>; rel="successor-version"' },
  AddOrgOIDCIDP: { ...since, link: '</management/v1/idps/generic_oidc>; rel="successor-version"' },
} as const;

const acceptedIdpCases = (rpc: IdpRpc) =>
  casesTitled(acceptedIdps(rpc), [
    "the required fields alone, with a default for every other",
    "name of one character",
    "clientId of 200 emoji",
    "clientSecret of quotes and backslashes",
    `issuer of ${rpc === "AddOIDCIDP" ? 200 : 2_048} characters`,
    "repeated scopes once, where they came first",
    "fifty scopes",
    "enums by name",
    "enums by number",
    "autoRegister",
  ]);
const rejectedIdpCases = (rpc: IdpRpc) =>
  casesTitled(rejectedIdps(rpc), [
    "name left out",
    "name of 201 emoji",
    "clientSecret with a NUL",
    "issuer with a letter beyond ASCII",
    "more scopes than fifty, before any of them is checked",
    "several bad scopes, each by its place in the request",
    "usernameMapping with the unknown number -1",
    "every field wrong at once, all of them named",
  ]);

const acceptedHumanCases = casesTitled(ACCEPTED_HUMANS, [
  "the required fields alone",
  "both names of 200 characters, and a display name cut to 200",
  '"" as no nick name, display name and language',
  "a Persian name with a non-joiner",
  "the gender GENDER_DIVERSE",
  "the gender 3",
  "a phone object without a number",
  'the verified number "tel:+41-79-123-45-67" as E.164',
  "a password of 72 bytes in 18 characters",
  "a hash and an empty password",
  "the hash $argon2id$v=… as it was given",
  "that the password has to be changed, with a password",
]);
const rejectedHumanCases = casesTitled(REJECTED_HUMANS, [
  "userName left out",
  "userName of 501 emoji",
  "profile empty",
  "profile.nickName with a bidirectional override",
  "the unknown gender -1",
  "email left out",
  "email.email with a NUL",
  "a number empty",
  "a password with a NUL",
  "the algorithm of a hash without a value",
  "a password and a hash at once",
  "a one-time code of 501 emoji",
  "more links than fifty, before any of them is checked",
  "every field wrong at once, all of them named",
]);

let count = 0;
const newName = () => `ada-${++count}`;

describe.each(SETTINGS)("on $kind", ({ kind, protocols }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(kind, { SMS_PROVIDER: "file" });
    for (const secret of [CLIENT_SECRET, PASSWORD, BCRYPT]) service.secret(secret);
  });
  afterAll(() => service?.close());

  describe.each(protocols)("over %s", (protocol) => {
    let caller: Caller;
    beforeAll(() => {
      caller = createCaller(protocol, service, service.adminToken);
    });
    afterAll(() => caller?.close());

    const importHuman = (changes: object = {}, headers = {}) =>
      caller.call("ImportHumanUser", withChanges({ userName: newName(), ...HUMAN }, changes), headers);

    async function newUser(phone: object = {}): Promise<string> {
      const outcome = await importHuman({ phone });
      if (!outcome.ok) throw new Error(outcome.message);
      return String(outcome.message.userId);
    }

    const update = (userId: string, phone: string, isPhoneVerified = false) =>
      caller.call("UpdateHumanPhone", { userId, phone, isPhoneVerified });

    describe.each(IDP_RPCS)("%s", (rpc) => {
      test.each(acceptedIdpCases(rpc))("stores $title", async ({ changes, stored, secret = CLIENT_SECRET }) => {
        service.secret(secret);
        const outcome = await caller.call(rpc, withChanges(IDP, changes));
        const ownerId = rpc === "AddOIDCIDP" ? service.instanceId : service.orgId;
        await expectOidcIdp(service, rpc, outcome, { ownerId, stored: { ...STORED_IDP, ...stored }, secret });
        expect(outcome).toMatchObject({ headers: DEPRECATION[rpc] });
      });

      test.each(rejectedIdpCases(rpc))("rejects $title", async ({ changes, fields }) => {
        const call = () => caller.call(rpc, withChanges(IDP, changes));
        await expectError(service.db, protocol, call, "INVALID_ARGUMENT", fields);
      });
    });

    test("AddOrgOIDCIDP adds to the organization in the header, AddOIDCIDP ignores the header", async () => {
      const orgId = await service.createOrg(`IdPs ${protocol}`);
      for (const rpc of IDP_RPCS) {
        const outcome = await caller.call(rpc, IDP, { "x-service-orgid": orgId });
        const ownerId = rpc === "AddOIDCIDP" ? service.instanceId : orgId;
        await expectOidcIdp(service, rpc, outcome, { ownerId, stored: STORED_IDP, secret: CLIENT_SECRET });
      }
    });

    describe("ImportHumanUser", () => {
      test.each(acceptedHumanCases)("stores $title", async ({ changes, stored, secret }) => {
        if (secret !== undefined) service.secret(secret);
        const userName = newName();
        const outcome = await importHuman({ userName, ...changes });
        await expectHuman(service, outcome, { userName, ...STORED_HUMAN, ...stored });
      });

      test.each(rejectedHumanCases)("rejects $title", async ({ changes, fields, secret }) => {
        if (secret !== undefined) service.secret(secret);
        await expectError(service.db, protocol, () => importHuman(changes), "INVALID_ARGUMENT", fields);
      });

      test("stores a one-time code and links, sends an email and an SMS, and returns a passkey link", async () => {
        const userName = `${newName()} \u00c9lodie`;
        const otpCode = service.secret(KEY.repeat(200));
        const { idpId } = messageOf(await caller.call("AddOrgOIDCIDP", IDP));
        const link = { externalUserId: userName, displayName: EMOJI.repeat(200) };
        const outcome = await importHuman({
          userName: ` ${userName} `,
          email: { email: "ada@example.com" },
          phone: { phone: "+41 79 123 45 67" },
          otpCode,
          idps: [{ configId: idpId, ...link }],
          requestPasswordlessRegistration: true,
        });
        const stored = { ...STORED_HUMAN, userName, sequence: 5n, email_verified: false, phone: NUMBER };
        await expectHuman(service, outcome, stored, {
          otpCode,
          links: [{ idpId: String(idpId), ...link }],
          passkey: true,
          effects: {
            events: [
              "user.human.added",
              "user.human.idp.linked",
              "user.human.initialization.requested",
              "user.human.phone.verification.requested",
              "user.human.passwordless.registration.requested",
            ],
            codes: ["initialization", "phone", "passkey"],
            messages: ["initialization by email to ada@example.com", `phone by sms to ${NUMBER}`],
          },
        });
      });

      test("fails for a user name and a link that are taken, and for an unknown provider", async () => {
        const { idpId } = messageOf(await caller.call("AddOIDCIDP", IDP));
        const taken = { userName: newName(), idps: [{ configId: idpId, externalUserId: newName() }] };
        expect(await importHuman(taken)).toMatchObject({ ok: true });
        const { userName, idps } = taken;
        const sameName = () => importHuman({ userName: userName.toUpperCase() });
        await expectError(service.db, protocol, sameName, "USER_NAME_TAKEN");
        await expectError(service.db, protocol, () => importHuman({ idps }), "IDP_LINK_TAKEN");
        const unknown = { configId: randomUUID(), externalUserId: newName() };
        await expectError(service.db, protocol, () => importHuman({ idps: [...idps, unknown] }), "IDP_NOT_FOUND");
        const orgId = await service.createOrg(`Names ${protocol}`);
        const outcome = await importHuman({ userName }, { "x-service-orgid": orgId });
        await expectHuman(service, outcome, { userName, ...STORED_HUMAN }, { orgId });
      });
    });

    describe("UpdateHumanPhone", () => {
      test.each([
        { verified: true, requested: "user.human.phone.verified", messages: [] },
        {
          verified: false,
          requested: "user.human.phone.verification.requested",
          messages: [`phone by sms to ${NUMBER}`],
        },
      ])("stores a number that is verified ($verified)", async ({ verified, requested, messages }) => {
        const userId = await newUser();
        const { details } = messageOf(await update(userId, "+41 79 123-45-67", verified)) as { details: JsonObject };
        expect(details).toEqual({
          sequence: "4",
          creationDate: expect.any(String),
          changeDate: expect.any(String),
          resourceOwner: service.orgId,
        });
        const at = new Date(String(details.changeDate));
        const effects = await readStoredEffects(service, { userId, since: 2n, at });
        expect(effects).toMatchObject({ events: ["user.human.phone.changed", requested], messages });
      });

      test("changes nothing if the number is already stored and verified", async () => {
        const userId = await newUser();
        const first = await update(userId, NUMBER, true);
        expect(messageOf(await update(userId, "tel:+41-79-123-45-67", true))).toEqual(messageOf(first));
      });

      test("fails for a user who does not exist", async () => {
        const own = await newUser();
        for (const userId of [randomUUID(), service.adminId, `{${own}}`, `${own} `, EMOJI.repeat(200), "a/b?c#d%"]) {
          await expectError(service.db, protocol, () => update(userId, NUMBER), "USER_NOT_FOUND");
        }
      });

      test("rejects invalid numbers and ids, and reports each of them", async () => {
        const userId = await newUser();
        for (const phone of ["", "079 123 45 67", "+41 79 123 45 67 ext. 5", "+4179123\x004567", " ".repeat(51)]) {
          await expectError(service.db, protocol, () => update(userId, phone), "INVALID_ARGUMENT", ["phone"]);
        }
        for (const id of ["x".repeat(201), "a\0b"]) {
          const fields = ["phone", "userId"];
          await expectError(service.db, protocol, () => update(id, "0041 79 123 45 67"), "INVALID_ARGUMENT", fields);
        }
        // The path of REST without an id is not a path of the service.
        if (protocol === "rest") await expectError(service.db, protocol, () => update("", NUMBER), "PATH_NOT_FOUND");
        else await expectError(service.db, protocol, () => update("", NUMBER), "INVALID_ARGUMENT", ["userId"]);
      });
    });

    test.each(RPCS)(
      "%s fails without a token, with an unknown one, without permission and in no organization",
      async (rpc) => {
        const { token } = await service.createToken({ orgId: service.orgId });
        const call = (headers: Record<string, string>) => () => caller.call(rpc, requestOf(rpc), headers);
        const withoutToken = createCaller(protocol, service, undefined);
        const anonymous = () => withoutToken.call(rpc, requestOf(rpc));
        await expectError(service.db, protocol, anonymous, "TOKEN_MISSING");
        withoutToken.close();
        const unknown = `Bearer signet_pat_${"x".repeat(43)}`;
        await expectError(service.db, protocol, call({ authorization: unknown }), "TOKEN_INVALID");
        await expectError(service.db, protocol, call({ authorization: `Bearer ${token}` }), "PERMISSION_DENIED");
        if (rpc === "AddOIDCIDP") return;
        await expectError(service.db, protocol, call({ "x-service-orgid": randomUUID() }), "ORG_NOT_FOUND");
      },
    );
  });

  test.each(IDP_RPCS.flatMap((rpc) => RAW_PROTOCOLS.map((protocol) => ({ rpc, protocol }))))(
    "the errors of $rpc over $protocol have the headers of the deprecation",
    async ({ rpc, protocol }) => {
      const connections = openConnections(service.port);
      const paths = {
        AddOIDCIDP: ["/admin/v1/idps/oidc", "/signet.v1.AdminService/AddOIDCIDP"],
        AddOrgOIDCIDP: ["/management/v1/idps/oidc", "/signet.v1.ManagementService/AddOrgOIDCIDP"],
      } as const;
      const [restPath, rpcPath] = paths[rpc];
      const json = protocol === "rest" || protocol === "connect-json";
      const empty = json ? Buffer.from("{}") : protocol === "connect-proto" ? Buffer.alloc(0) : frame(Buffer.alloc(0));
      for (const [headers, code] of [
        [{ authorization: `Bearer ${service.adminToken}` }, 3],
        [{}, 16],
      ] as const) {
        const request = { ...rawRequest(protocol, empty, headers), path: protocol === "rest" ? restPath : rpcPath };
        const response = await connections.ask(protocol, request);
        expect(response).toMatchObject({ code, headers: DEPRECATION[rpc] });
      }
      connections.close();
    },
  );

  const requestOf = (rpc: (typeof RPCS)[number]): JsonObject => {
    switch (rpc) {
      case "AddOIDCIDP":
      case "AddOrgOIDCIDP":
        return IDP;
      case "ImportHumanUser":
        return { userName: newName(), ...HUMAN };
      case "UpdateHumanPhone":
        return { userId: service.adminId, phone: NUMBER };
      default:
        return rpc satisfies never;
    }
  };
});

function messageOf(outcome: Outcome): JsonObject {
  if (!outcome.ok) throw new Error(`the call failed: ${outcome.message}`);
  return outcome.message;
}
