import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** The instance's policy until it is changed. ProtoJSON omits false and empty values. */
const DEFAULT = {
  allowUsernamePassword: true,
  allowExternalIdp: true,
  passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
  ignoreUnknownUsernames: true,
  secondFactors: ["SECOND_FACTOR_TYPE_OTP"],
  multiFactors: ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"],
  redirectToOnlyIdp: true,
};

/** Every field, with a value other than the default one. */
const OTHER = {
  allowUsernamePassword: true,
  allowRegister: true,
  allowDomainDiscovery: true,
  allowExternalIdp: false,
  forceMfa: true,
  forceMfaFrom: "2027-01-01T00:00:00Z",
  forceMfaLocalOnly: true,
  passwordlessType: "PASSWORDLESS_TYPE_NOT_ALLOWED",
  hidePasswordReset: true,
  ignoreUnknownUsernames: true,
  defaultRedirectUri: "https://app.example.com/start?from=signet",
  passwordCheckLifetime: "3600s",
  externalLoginCheckLifetime: "7200s",
  mfaInitSkipLifetime: "0s",
  secondFactorCheckLifetime: "300s",
  multiFactorCheckLifetime: "2592000s",
  disableLoginWithEmail: true,
  disableLoginWithPhone: true,
  disableNewDeviceNotice: true,
  redirectToOnlyIdp: false,
};

/** As in a response. */
const SHOWN = {
  ...Object.fromEntries(Object.entries(OTHER).filter(([, value]) => value !== false)),
  redirectToOnlyIdp: false,
  passwordlessType: undefined,
  secondFactors: DEFAULT.secondFactors,
  multiFactors: DEFAULT.multiFactors,
};

const VALID = { allowUsernamePassword: true };

/** Refused values, each with the named fields. */
const REFUSED: readonly (readonly [JsonObject, ...string[]])[] = [
  [{}, "allowUsernamePassword"],
  [{ allowExternalIdp: true, allowRegister: true }, "allowRegister"],
  [{ ...VALID, ignoreUnknownUsernames: false }, "ignoreUnknownUsernames"],
  [{ ...VALID, defaultRedirectUri: "javascript:alert(1)" }, "defaultRedirectUri"],
  [{ ...VALID, defaultRedirectUri: "http://app.example.com" }, "defaultRedirectUri"],
  [{ ...VALID, defaultRedirectUri: "/start" }, "defaultRedirectUri"],
  [{ ...VALID, defaultRedirectUri: `https://app.example.com/${"a".repeat(2_048)}` }, "defaultRedirectUri"],
  [{ ...VALID, passwordCheckLifetime: "0s" }, "passwordCheckLifetime"],
  [
    { ...VALID, passwordCheckLifetime: "299s", multiFactorCheckLifetime: "2592001s" },
    "multiFactorCheckLifetime",
    "passwordCheckLifetime",
  ],
  [{ ...VALID, externalLoginCheckLifetime: "300.5s" }, "externalLoginCheckLifetime"],
  [{ ...VALID, secondFactorCheckLifetime: "-300s" }, "secondFactorCheckLifetime"],
  [{ ...VALID, mfaInitSkipLifetime: "315360001s" }, "mfaInitSkipLifetime"],
  [{ ...VALID, forceMfaFrom: "2027-01-01T00:00:00Z" }, "forceMfaFrom"],
  [{ ...VALID, passwordlessType: 2 }, "passwordlessType"],
];

/** Refused lists, which only a new policy has. */
const REFUSED_LISTS: typeof REFUSED = [
  [{ ...VALID, secondFactors: ["SECOND_FACTOR_TYPE_OTP", "SECOND_FACTOR_TYPE_OTP_SMS"] }, "secondFactors[1]"],
  [{ ...VALID, multiFactors: ["MULTI_FACTOR_TYPE_UNSPECIFIED"] }, "multiFactors[0]"],
  [{ ...VALID, idps: [{ idpId: "1" }] }, "idps"],
];

let service: TestService;
let caller: Caller;
let orgId: string;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("rest", service, service.adminToken);
});
beforeEach(async () => {
  orgId = await service.createOrg(`Org ${Math.random()}`);
  await service.db.deleteFrom("login_policies").execute();
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const send = (rpc: Rpc, request: JsonObject = {}) => caller.call(rpc, request, { "x-service-orgid": orgId });
const messageOf = (outcome: Outcome): JsonObject => {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};
const policyOf = async (rpc: "GetLoginPolicy" | "AdminService.GetLoginPolicy") => {
  const { policy, instancePolicy: _, ...rest } = messageOf(await send(rpc));
  return { ...(policy as JsonObject), rest } as JsonObject;
};

test("an organization inherits the policy of the instance, until it has its own, and after a reset", async () => {
  const owner = (resourceOwner: string, sequence: string) => ({ details: { resourceOwner, sequence } });
  const { instanceId } = service;
  const { details, ...initial } = await policyOf("GetLoginPolicy");
  expect(initial).toEqual({ ...DEFAULT, isDefault: true, rest: { isDefault: true } });
  expect({ details }).toMatchObject({ details: { resourceOwner: instanceId } });

  const changed = messageOf(await send("UpdateLoginPolicy", { ...VALID, hidePasswordReset: true }));
  expect(await policyOf("GetLoginPolicy")).toMatchObject({ ...changed, isDefault: true, hidePasswordReset: true });
  expect(await policyOf("AdminService.GetLoginPolicy")).toMatchObject({
    ...changed,
    isDefault: true,
    hidePasswordReset: true,
  });

  const added = messageOf(await send("AddCustomLoginPolicy", OTHER));
  expect(added).toMatchObject(owner(orgId, "2"));
  expect(await policyOf("GetLoginPolicy")).toEqual({ ...SHOWN, ...added, rest: {} });
  const { policy: ofInstance } = messageOf(await send("AdminService.GetLoginPolicy"));
  expect(ofInstance).toMatchObject({ hidePasswordReset: true });
  expect(messageOf(await send("GetLoginPolicy")).instancePolicy).toEqual(ofInstance);

  const updated = messageOf(await send("UpdateCustomLoginPolicy", VALID));
  expect(updated).toMatchObject(owner(orgId, "3"));
  const { ignoreUnknownUsernames, secondFactors, multiFactors, redirectToOnlyIdp } = DEFAULT;
  const unchanged = { ignoreUnknownUsernames, secondFactors, multiFactors, redirectToOnlyIdp };
  expect(await policyOf("GetLoginPolicy")).toEqual({ ...VALID, ...unchanged, ...updated, rest: {} });

  expect(messageOf(await send("ResetLoginPolicyToDefault"))).toMatchObject(owner(orgId, "4"));
  expect(await policyOf("GetLoginPolicy")).toMatchObject({ isDefault: true, hidePasswordReset: true });
});

test("each change is an event of the owner, and the same values again are none", async () => {
  const eventsOf = async (ownerId: string) =>
    (
      await service.db
        .selectFrom("events")
        .select(["type", "payload"])
        .where("aggregate_id", "=", ownerId)
        .orderBy("sequence")
        .execute()
    )
      .filter(({ type }) => type.includes("policy"))
      .map(({ type, payload }) => [type, (payload as { hidePasswordReset?: boolean }).hidePasswordReset]);
  const before = (await eventsOf(service.instanceId)).length;
  const values = { ...VALID, hidePasswordReset: true };
  const first = messageOf(await send("UpdateLoginPolicy", values));
  expect(messageOf(await send("UpdateLoginPolicy", values))).toEqual(first);
  expect((await eventsOf(service.instanceId)).slice(before)).toEqual([["instance.login.policy.changed", true]]);

  await send("AddCustomLoginPolicy", VALID);
  const updated = messageOf(await send("UpdateCustomLoginPolicy", values));
  expect(messageOf(await send("UpdateCustomLoginPolicy", values))).toEqual(updated);
  await send("ResetLoginPolicyToDefault");
  expect(await eventsOf(orgId)).toEqual([
    ["org.login.policy.added", false],
    ["org.login.policy.changed", true],
    ["org.login.policy.removed", undefined],
  ]);
});

test("only an organization without its own policy can add one, and only one with it can change or reset it", async () => {
  await expectError(service.db, "rest", () => send("UpdateCustomLoginPolicy", VALID), "POLICY_NOT_FOUND");
  await expectError(service.db, "rest", () => send("ResetLoginPolicyToDefault"), "POLICY_NOT_FOUND");
  messageOf(await send("AddCustomLoginPolicy", VALID));
  await expectError(service.db, "rest", () => send("AddCustomLoginPolicy", VALID), "POLICY_EXISTS");
});

test("of several simultaneous additions, one succeeds", async () => {
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => send("AddCustomLoginPolicy", VALID)));
  const reasons = outcomes.map((outcome) => (outcome.ok ? "added" : outcome.reason)).sort();
  expect(reasons).toEqual([...Array(4).fill("POLICY_EXISTS"), "added"]);
});

const cases = (["UpdateLoginPolicy", "AddCustomLoginPolicy"] as const).flatMap((rpc) =>
  [...REFUSED, ...(rpc === "AddCustomLoginPolicy" ? REFUSED_LISTS : [])].map(
    ([request, ...fields]) => [rpc, JSON.stringify(request).slice(0, 120), fields, request] as const,
  ),
);
test.each(cases)("%s refuses %s, and names %j", async (rpc, _text, fields, request) => {
  expect(await send(rpc, request)).toMatchObject({ ok: false, reason: "INVALID_ARGUMENT", fields });
});
