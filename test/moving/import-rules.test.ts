import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { ImportHumanUserRequestSchema } from "../../gen/signet/v1/management_pb.js";
import { createBrowserRules } from "../../src/moving/browser-rules.ts";
import { SERVICE_RULES } from "../../src/moving/service-rules.ts";

const BROWSER_RULES = createBrowserRules({ isSupportedCountry, parsePhoneNumberFromString });
type Changes = Exclude<MessageInitShape<typeof ImportHumanUserRequestSchema>, { $typeName: string }>;

const VALID: Changes = {
  userName: "ada",
  profile: { firstName: "Ada", lastName: "Lovelace" },
  email: { email: "ada@example.com", isEmailVerified: true },
};

/** A request with something wrong, by the field. */
const INVALID: readonly [string, Changes][] = [
  ["userName", { userName: "a\u202eb" }],
  ["profile.firstName", { profile: { firstName: "A\u0000da", lastName: "L" } }],
  ["profile.preferredLanguage", { profile: { firstName: "Ada", lastName: "L", preferredLanguage: "german" } }],
  ["email.email", { email: { email: "ada@localhost" } }],
  ["email.email", { email: { email: "ada@exa mple.com" } }],
  ["phone.phone", { phone: { phone: "+999" } }],
  ["subject", { subject: "ä" }],
  [
    "idps[1]",
    {
      idps: [
        { configId: "7", externalUserId: "1" },
        { configId: "7", externalUserId: "1" },
      ],
    },
  ],
  ["metadata[0].key", { metadata: [{ key: " plan", value: Uint8Array.of(1) }] }],
];

test.each(INVALID)("%s is refused by the browser as by the service: %j", async (field, changes) => {
  const request = create(ImportHumanUserRequestSchema, { ...VALID, ...changes });
  const found = await BROWSER_RULES.findProblems(request);
  expect(found.map((problem) => problem.field)).toEqual([field]);
  if (field !== "profile.firstName") expect(await SERVICE_RULES.findProblems(request)).toEqual(found);
});

test("a valid request has no problems", async () => {
  const request = create(ImportHumanUserRequestSchema, VALID);
  expect([await BROWSER_RULES.findProblems(request), await SERVICE_RULES.findProblems(request)]).toEqual([[], []]);
});

test.each([
  ["+41 79 123 45 67", undefined],
  ["079 123 45 67", "CH"],
  ["079 123 45 67", undefined],
  ["no number", "CH"],
])("%s is read alike in %s", (entered, region) => {
  expect(BROWSER_RULES.readPhone(entered, region)).toBe(SERVICE_RULES.readPhone(entered, region));
});
