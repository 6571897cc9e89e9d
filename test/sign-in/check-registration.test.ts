import { OIDCMappingField } from "../../gen/signet/v1/idp_pb.js";
import { checkRegistration, suggestRegistration, toLinkName } from "../../src/sign-in/provider/check-registration.ts";
import type { ExternalUser } from "../../src/sign-in/provider/external-user.ts";

const {
  OIDC_MAPPING_FIELD_UNSPECIFIED: UNSPECIFIED,
  OIDC_MAPPING_FIELD_PREFERRED_USERNAME: PREFERRED_USERNAME,
  OIDC_MAPPING_FIELD_EMAIL: EMAIL,
} = OIDCMappingField;
const ID = "01a20053-7411-7dd2-820d-13541da552a0";

const USER: ExternalUser = {
  id: "external-1",
  preferredUsername: "ada",
  email: "ada@example.com",
  emailVerified: true,
  name: "Ada Lovelace",
  givenName: "Ada",
  familyName: "Lovelace",
  nickname: "Enchantress",
  locale: "en-GB",
};

const idpWith = (usernameMapping: number, displayNameMapping = usernameMapping) => ({
  id: ID,
  usernameMapping,
  displayNameMapping,
});

describe("the claim that a name is taken from", () => {
  test.each([
    ["not specified", UNSPECIFIED, true, "ada", "Ada Lovelace"],
    ["the user name", PREFERRED_USERNAME, true, "ada", "ada"],
    ["the address, which is verified", EMAIL, true, "ada@example.com", "ada@example.com"],
    ["the address, which is not verified", EMAIL, false, "ada", "ada"],
  ])("%s", (_, mapping, emailVerified, userName, displayName) => {
    const user = { ...USER, emailVerified };
    expect(suggestRegistration(idpWith(mapping), user).userName).toBe(userName);
    expect(toLinkName(idpWith(mapping), user)).toBe(displayName);
  });

  test.each([UNSPECIFIED, PREFERRED_USERNAME, EMAIL])(
    "a missing user name is replaced by the address, if it is verified (mapping %s)",
    (mapping) => {
      const user = { ...USER, preferredUsername: "" };
      expect(suggestRegistration(idpWith(mapping), user).userName).toBe("ada@example.com");
      expect(suggestRegistration(idpWith(mapping), { ...user, emailVerified: false }).userName).toBe("");
    },
  );

  test.each([UNSPECIFIED, PREFERRED_USERNAME, EMAIL])(
    "so is one that is another address or a number, also if it is not verified (mapping %s)",
    (mapping) => {
      for (const preferredUsername of ["ceo@bigcorp.example", "+41791234567"]) {
        const user = { ...USER, preferredUsername };
        expect(suggestRegistration(idpWith(mapping), user).userName).toBe("ada@example.com");
        expect(suggestRegistration(idpWith(mapping), { ...user, emailVerified: false }).userName).toBe("");
      }
    },
  );

  test("the two mappings are independent", () => {
    const idp = idpWith(EMAIL, PREFERRED_USERNAME);
    expect([suggestRegistration(idp, USER).userName, toLinkName(idp, USER)]).toEqual(["ada@example.com", "ada"]);
  });

  test("a missing or invalid display name is replaced by another claim", () => {
    for (const invalid of ["", "a\u202eb"]) {
      expect(toLinkName(idpWith(PREFERRED_USERNAME), { ...USER, preferredUsername: invalid })).toBe("Ada Lovelace");
      expect(toLinkName(idpWith(UNSPECIFIED), { ...USER, name: invalid })).toBe("Ada Lovelace");
    }
    const nameless = { ...USER, name: "", givenName: "", familyName: "" };
    expect(toLinkName(idpWith(UNSPECIFIED), { ...USER, name: "", givenName: "" })).toBe("Lovelace");
    expect(toLinkName(idpWith(UNSPECIFIED), nameless)).toBe("ada");
    expect(toLinkName(idpWith(UNSPECIFIED), { ...nameless, preferredUsername: "\u202e" })).toBe("");
    expect(toLinkName(idpWith(UNSPECIFIED), { ...USER, name: "x".repeat(300) })).toHaveLength(200);
  });
});

const idp = idpWith(UNSPECIFIED);
const check = (changes: Partial<ExternalUser>, fields = {}) => {
  const user = { ...USER, ...changes };
  return checkRegistration(idp, user, { ...suggestRegistration(idp, user), ...fields });
};

test("an external user with all claims becomes a user with all of their values", async () => {
  expect(await check({})).toEqual({
    ok: true,
    human: expect.objectContaining({
      human: {
        userName: "ada",
        firstName: "Ada",
        lastName: "Lovelace",
        nickName: "Enchantress",
        displayName: "Ada Lovelace",
        preferredLanguage: "en-GB",
        gender: 0,
        email: "ada@example.com",
        phone: null,
        passwordChangeRequired: false,
      },
      emailVerified: true,
      links: [{ idpId: ID, externalUserId: "external-1", displayName: "Ada Lovelace" }],
    }),
  });
});

test.each([
  ["the first name", { firstName: "Augusta" }, "Augusta Lovelace"],
  ["the last name", { lastName: "King" }, "Ada King"],
  ["neither", { firstName: " Ada " }, "Ada L."],
])(
  "a user who has changed %s is shown with the entered names, and the link with the provider's",
  (_, fields, shown) => {
    expect(check({ name: "Ada L." }, fields)).toMatchObject({
      human: { human: { displayName: shown }, links: [{ displayName: "Ada L." }] },
    });
  },
);

test("an address is verified only if it is the one that the provider has verified", async () => {
  const verified = async (changes: Partial<ExternalUser>, fields = {}) => {
    const checked = await check(changes, fields);
    return checked.ok && checked.human.emailVerified;
  };
  expect(await verified({})).toBe(true);
  expect(await verified({ emailVerified: false })).toBe(false);
  expect(await verified({}, { email: "other@example.com" })).toBe(false);
  expect(await verified({}, { email: "ADA@example.com" })).toBe(false);
});

test.each([
  ["no name", { givenName: "", familyName: "" }, ["firstName", "lastName"]],
  ["no address", { email: "" }, ["email"]],
  ["an address that is none", { email: "ada" }, ["email"]],
  ["the placeholder of a user without an address", { email: "1@csv.invalid" }, ["email"]],
  ["no user name", { preferredUsername: "", emailVerified: false }, ["userName"]],
  ["a user name with an invisible character", { preferredUsername: "a\u200bb" }, ["userName"]],
  ["a name that is too long", { familyName: "x".repeat(201) }, ["lastName"]],
] as const)("%s has to be entered", async (_, changes, invalid) => {
  expect(await check(changes)).toEqual({ ok: false, invalid: new Set(invalid) });
});

test("a user name is an address only if the provider has verified it, and never a number", () => {
  const refused = { ok: false, invalid: new Set(), isForeignAddress: true };
  const named = (changes: Partial<ExternalUser>, userName: string) => check(changes, { userName });
  expect(named({}, "other@example.com")).toEqual(refused);
  expect(named({}, "ADA@example.com")).toMatchObject({ ok: true });
  expect(named({ emailVerified: false }, "ada@example.com")).toEqual(refused);
  expect(check({ emailVerified: false }, { userName: "new@example.com", email: "new@example.com" })).toEqual(refused);
  expect(named({ preferredUsername: "ada@corp.example" }, "ada@corp.example")).toEqual(refused);
  expect(named({ preferredUsername: "+41791234567" }, "+41791234567")).toEqual(refused);
  expect(named({ preferredUsername: "ada@corp.example" }, "ada@example.com")).toMatchObject({ ok: true });
});

test("details that violate a rule are omitted", async () => {
  expect(await check({ nickname: "a\u202eb", locale: "english" })).toMatchObject({
    ok: true,
    human: { human: { nickName: null, preferredLanguage: null } },
  });
  expect(await check({ locale: "" })).toMatchObject({ ok: true });
});
