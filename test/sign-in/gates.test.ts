import type { SignInUser } from "../../src/sign-in/find-sign-in-user.ts";
import { type Gate, nextGate } from "../../src/sign-in/gates.ts";
import { withOneTimeCode } from "../../src/sign-in/methods.ts";

const READY: SignInUser = {
  orgId: "org",
  id: "ada",
  sequence: 1n,
  state: "active",
  initialized: true,
  userName: "ada",
  displayName: "Ada",
  email: "ada@example.com",
  emailVerified: true,
  passwordHash: "$2b$04$hash",
  passwordChangeRequired: false,
  secondFactorRequired: false,
  otpCode: null,
  otpCodeKey: null,
  otpLastStep: null,
  hasRolesElsewhere: false,
};

const PASSWORD = ["pwd"];
const DEVICE_PASSKEY = ["hwk", "user", "mfa"];
const SYNCED_PASSKEY = ["swk", "user", "mfa"];
const PROVIDER = ["fed"];

interface Case {
  readonly verified: boolean;
  readonly oneTimeCode: boolean;
  readonly change: boolean;
  /** The gates in their order, for a password and for another provider. */
  readonly gates: readonly Gate[];
  readonly passkeyGates: readonly Gate[];
}

/** Every combination of conditions (docs/sign-in.md). */
const CASES: readonly Case[] = [
  { verified: true, oneTimeCode: false, change: false, gates: [], passkeyGates: [] },
  { verified: true, oneTimeCode: false, change: true, gates: ["change-password"], passkeyGates: ["change-password"] },
  { verified: true, oneTimeCode: true, change: false, gates: ["one-time-code"], passkeyGates: [] },
  {
    verified: true,
    oneTimeCode: true,
    change: true,
    gates: ["one-time-code", "change-password"],
    passkeyGates: ["change-password"],
  },
  { verified: false, oneTimeCode: false, change: false, gates: ["verify-address"], passkeyGates: ["verify-address"] },
  {
    verified: false,
    oneTimeCode: false,
    change: true,
    gates: ["verify-address", "change-password"],
    passkeyGates: ["verify-address", "change-password"],
  },
  {
    verified: false,
    oneTimeCode: true,
    change: false,
    gates: ["verify-address", "one-time-code"],
    passkeyGates: ["verify-address"],
  },
  {
    verified: false,
    oneTimeCode: true,
    change: true,
    gates: ["verify-address", "one-time-code", "change-password"],
    passkeyGates: ["verify-address", "change-password"],
  },
];

/** Passes one gate after another. */
function gatesOf({ verified, oneTimeCode, change }: Case, proved: readonly string[]): Gate[] {
  let user: SignInUser = { ...READY, emailVerified: verified, passwordChangeRequired: change };
  let methods = proved;
  const passed: Gate[] = [];
  for (;;) {
    const gate = nextGate(user, { methods, hasOneTimeCode: oneTimeCode, needsSecondFactor: false });
    if (gate === undefined) return passed;
    if (passed.includes(gate)) throw new Error(`${gate} comes again`);
    passed.push(gate);
    if (gate === "verify-address") user = { ...user, emailVerified: true };
    else if (gate === "one-time-code") methods = withOneTimeCode(methods);
    else user = { ...user, passwordChangeRequired: false };
  }
}

test.each(CASES)("the gates have one order: %j", (given) => {
  expect(gatesOf(given, PASSWORD)).toEqual(given.gates);
  expect(gatesOf(given, PROVIDER)).toEqual(given.gates);
  expect(gatesOf(given, DEVICE_PASSKEY)).toEqual(given.passkeyGates);
  expect(gatesOf(given, SYNCED_PASSKEY)).toEqual(given.passkeyGates);
});

test("a user without a password is not asked to change it", () => {
  const user = { ...READY, passwordHash: null, passwordChangeRequired: true };
  expect(nextGate(user, { methods: DEVICE_PASSKEY, hasOneTimeCode: false, needsSecondFactor: false })).toBeUndefined();
});

test("a user of whom a second factor is required is asked for it unless it was used", () => {
  const user = { ...READY, secondFactorRequired: true };
  const none = { hasOneTimeCode: false, needsSecondFactor: false };
  expect(nextGate(user, { ...none, methods: PASSWORD })).toBe("second-factor");
  expect(nextGate(user, { ...none, methods: PROVIDER })).toBe("second-factor");
  expect(nextGate(user, { ...none, methods: SYNCED_PASSKEY })).toBeUndefined();
  expect(nextGate(user, { ...none, methods: PASSWORD, hasOneTimeCode: true })).toBe("one-time-code");
});

test("several factors at another provider do not replace the one-time code", () => {
  expect(nextGate(READY, { methods: ["fed", "mfa"], hasOneTimeCode: true, needsSecondFactor: false })).toBe(
    "one-time-code",
  );
});

test("a one-time code adds its methods once", () => {
  expect(withOneTimeCode(PASSWORD)).toEqual(["pwd", "otp", "mfa"]);
  expect(withOneTimeCode(DEVICE_PASSKEY)).toEqual(["hwk", "user", "mfa", "otp"]);
});

test("a required second factor has to be set up before the password is changed, unless the sign-in has one", () => {
  const required = { hasOneTimeCode: false, needsSecondFactor: true };
  const user = { ...READY, passwordChangeRequired: true };
  for (const methods of [["pwd"], ["fed"]]) expect(nextGate(user, { ...required, methods })).toBe("second-factor");
  expect(nextGate({ ...user, emailVerified: false }, { ...required, methods: ["pwd"] })).toBe("verify-address");
  expect(nextGate(user, { ...required, hasOneTimeCode: true, methods: ["pwd"] })).toBe("one-time-code");
  for (const methods of [
    ["pwd", "otp", "mfa"],
    ["pwd", "swk", "user", "mfa"],
  ]) {
    expect(nextGate(READY, { ...required, methods })).toBeUndefined();
  }
});
