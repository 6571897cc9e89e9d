import { azure } from "../../../src/sign-in/provider/kinds/azure.ts";

const TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47";
const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";

const isVerified = (tenant: string, claims: object, emailVerified = true) => {
  const idp = { clientId: "signet", issuer: "", settings: { tenant, emailVerified } };
  return azure.toClaims?.({ email: "ada@example.com", email_verified: true, ...claims }, idp, {}).email_verified;
};

test.each(["common", "Organizations", "consumers", CONSUMERS])(
  "an address of an account of the tenant %s counts as verified only if its domain is",
  (tenant) => {
    for (const xms_edov of [true, "true", 1, "1"]) expect(isVerified(tenant, { xms_edov })).toBe(true);
    for (const xms_edov of [undefined, null, false, "false", 0, "0", ""]) {
      expect(isVerified(tenant, { xms_edov })).toBe(false);
    }
    expect(isVerified(tenant, { xms_edov: true }, false)).toBe(false);
  },
);

test("an address of a chosen tenant counts as verified by the setting alone", () => {
  expect([isVerified(TENANT, {}), isVerified("contoso.example", {}), isVerified(TENANT, {}, false)]).toEqual([
    true,
    true,
    false,
  ]);
});
