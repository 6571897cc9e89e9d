import { randomBytes } from "node:crypto";
import { createKeyring } from "../../src/crypto/keyring.ts";
import type { SignInUser } from "../../src/sign-in/find-sign-in-user.ts";
import { isStillOf, openProof, sealProof } from "../../src/sign-in/proof.ts";

let now = Date.parse("2026-01-01T00:00:00Z");
const parts = { keyring: createKeyring([randomBytes(32)]), clock: () => new Date(now) };
const user: SignInUser = {
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
  passwordChangeRequired: true,
  secondFactorRequired: false,
  otpCode: null,
  otpCodeKey: null,
  otpLastStep: null,
  hasRolesElsewhere: false,
};
const seal = () => sealProof(parts, "sign-in-1", user, { methods: ["pwd"], remember: true });

test("a proof can be opened in its sign-in", () => {
  const proof = openProof(parts, "sign-in-1", seal());
  expect(proof).toMatchObject({ userId: "ada", methods: ["pwd"], remember: true });
  expect(proof && isStillOf(proof, user)).toBe(true);
});

test("a proof cannot be opened in another sign-in, or after a change", () => {
  const text = seal();
  expect(openProof(parts, "sign-in-2", text)).toBeUndefined();
  const last = text.at(-1) === "A" ? "B" : "A";
  for (const changed of ["", "x", `${text.slice(0, -2)}${last}A`, text.replace(/^[^.]+/, "other")]) {
    expect(openProof(parts, "sign-in-1", changed)).toBeUndefined();
  }
});

test("a proof expires after 15 minutes", () => {
  const text = seal();
  now += 15 * 60_000 - 1;
  expect(openProof(parts, "sign-in-1", text)).toBeDefined();
  now += 1;
  expect(openProof(parts, "sign-in-1", text)).toBeUndefined();
});

test.each([
  ["has another password", { passwordHash: "$2b$04$other" }],
  ["is deactivated", { state: "inactive" }],
  ["is locked", { state: "locked" }],
] as const)("a proof is refused once the user %s", (_, change) => {
  const proof = openProof(parts, "sign-in-1", seal());
  expect(proof && isStillOf(proof, { ...user, ...change })).toBe(false);
});
