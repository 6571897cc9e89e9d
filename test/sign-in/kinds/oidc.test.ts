import { mergeClaims } from "../../../src/sign-in/provider/external-user.ts";
import { oidc } from "../../../src/sign-in/provider/kinds/oidc.ts";

const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";
const EMAIL = { email: "ada@example.com" };

/** What counts for the claims of an ID token and of userinfo. */
function verifiedOf(claims: object, info: object = {}, trustEmail = true, issuer = "https://idp.example.com"): unknown {
  const idp = { clientId: "signet", issuer, settings: { trustEmail } };
  return oidc.toClaims?.(mergeClaims({ ...claims }, { ...info }), idp, {}).email_verified;
}

test("an address of a trusted provider counts as verified if the provider says nothing about it", () => {
  expect(verifiedOf(EMAIL)).toBe(true);
  expect(verifiedOf(EMAIL, {}, false)).toBe(false);
  expect(verifiedOf({}, EMAIL)).toBe(true);
  expect(verifiedOf({ ...EMAIL, email_verified: null })).toBe(true);
});

test.each([false, "false", 0, ""])("what a trusted provider says about an address counts: %j", (email_verified) => {
  expect(verifiedOf({ ...EMAIL, email_verified })).toBe(email_verified);
  expect(verifiedOf(EMAIL, { email_verified })).toBe(email_verified);
  expect(verifiedOf({ email_verified }, EMAIL)).toBe(email_verified);
});

test("a confirmation without the address is none, unless the provider is trusted", () => {
  expect(verifiedOf(EMAIL, { email_verified: true }, false)).toBe(false);
  expect(verifiedOf(EMAIL, { email_verified: true })).toBe(true);
});

test("an address of a personal account of Microsoft counts only if its domain is verified", () => {
  const issuer = `https://login.microsoftonline.com/${CONSUMERS.toUpperCase()}/v2.0`;
  expect(verifiedOf(EMAIL, {}, true, issuer)).toBe(false);
  expect(verifiedOf({ ...EMAIL, xms_edov: true }, {}, true, issuer)).toBe(true);
});
