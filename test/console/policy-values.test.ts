import { create, type JsonObject, toJson } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { LIFETIME_UNITS, toDuration, toLifetime } from "../../console/parts/lifetime.ts";
import { toLoginRequest, toLoginValues } from "../../console/screens/sign-in/policy-values.ts";
import {
  LoginPolicySchema,
  PasswordlessType,
  UpdateCustomLoginPolicyRequestSchema,
} from "../../gen/signet/v1/login_policy_pb.js";

const ofSeconds = (seconds: number) => durationFromMs(seconds * 1_000);

/** Every setting differs from the default. */
const POLICY = create(LoginPolicySchema, {
  ...{ allowUsernamePassword: true, allowRegister: true, allowExternalIdp: true, allowDomainDiscovery: true },
  ...{ forceMfa: true, forceMfaLocalOnly: true, hidePasswordReset: true, disableNewDeviceNotice: true },
  ...{ disableLoginWithEmail: true, disableLoginWithPhone: true, defaultRedirectUri: "https://app.example.com/" },
  redirectToOnlyIdp: false,
  passwordlessType: PasswordlessType.ALLOWED,
  passwordCheckLifetime: ofSeconds(43_200),
  externalLoginCheckLifetime: ofSeconds(301),
  secondFactorCheckLifetime: ofSeconds(5_400),
  multiFactorCheckLifetime: ofSeconds(2_592_000),
  mfaInitSkipLifetime: ofSeconds(0),
  forceMfaFrom: timestampFromDate(new Date("2027-01-15T09:30:17Z")),
});

/** The request in JSON, because a failed test cannot report a bigint. */
function requestOf(policy: typeof POLICY, changes: Partial<ReturnType<typeof toLoginValues>> = {}): JsonObject {
  const request = toLoginRequest(policy, { ...toLoginValues(policy), ...changes });
  const message = create(UpdateCustomLoginPolicyRequestSchema, request);
  return toJson(UpdateCustomLoginPolicyRequestSchema, message) as JsonObject;
}

test("a form that is saved without a change sends every setting as it is stored", () => {
  const stored = toJson(LoginPolicySchema, POLICY) as JsonObject;
  // Always true.
  const fields = UpdateCustomLoginPolicyRequestSchema.fields.filter(({ name }) => name !== "ignore_unknown_usernames");
  for (const { jsonName } of fields) expect([jsonName, stored[jsonName]]).not.toEqual([jsonName, undefined]);
  expect(requestOf(POLICY)).toEqual(stored);
  expect(requestOf(create(LoginPolicySchema))).toEqual({ redirectToOnlyIdp: true });
});

test("a time that is entered replaces the stored one, and an empty field removes it", () => {
  const { forceMfaFrom } = toLoginValues(create(LoginPolicySchema, { forceMfaFrom: { seconds: 1_800_000_000n } }));
  expect(requestOf(POLICY, { forceMfaFrom }).forceMfaFrom).toBe("2027-01-15T08:00:00Z");
  expect(requestOf(POLICY, { forceMfaFrom: "" })).not.toHaveProperty("forceMfaFrom");
});

test.each([
  [0, { amount: "0", unit: "seconds" }],
  [59, { amount: "59", unit: "seconds" }],
  [5_400, { amount: "90", unit: "minutes" }],
  [43_200, { amount: "12", unit: "hours" }],
  [2_592_000, { amount: "30", unit: "days" }],
] as const)("%d seconds are shown in the longest unit", (seconds, lifetime) => {
  expect(toLifetime(ofSeconds(seconds))).toEqual(lifetime);
  expect(Number(toDuration(lifetime)?.seconds)).toBe(seconds);
});

test("without a number, there is no duration", () => {
  for (const unit of LIFETIME_UNITS) {
    for (const amount of ["", "x", "1.5"]) expect(toDuration({ amount, unit }) === undefined).toBe(true);
  }
  expect(Number(toDuration({ amount: "1e2", unit: "minutes" })?.seconds)).toBe(6_000);
  expect(toLifetime(undefined).amount).toBe("");
});
