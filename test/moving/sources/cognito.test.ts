import { cognito } from "../../../src/moving/sources/cognito.ts";
import { convert, lostOf, readUser } from "./read.ts";

const attributes = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([Name, Value]) => ({ Name, Value }));

/** After the response of ListUsers. */
const USER = {
  Username: "ada",
  Attributes: attributes({
    sub: "11111111-2222-3333-4444-555555555555",
    email: "ada@example.com",
    email_verified: "true",
    phone_number: "+41791234567",
    phone_number_verified: "false",
    given_name: "Ada",
    family_name: "Lovelace",
    name: "Ada Lovelace",
    locale: "en-GB",
    gender: "female",
    "custom:department": "Engines",
    birthdate: "1815-12-10",
  }),
  UserCreateDate: "2024-01-01T00:00:00Z",
  Enabled: true,
  UserStatus: "CONFIRMED",
};

test("a user of ListUsers", () => {
  expect(readUser(cognito, USER)).toEqual({
    sourceId: "11111111-2222-3333-4444-555555555555",
    userName: "ada",
    firstName: "Ada",
    lastName: "Lovelace",
    displayName: "Ada Lovelace",
    language: "en-GB",
    gender: "female",
    email: "ada@example.com",
    emailVerified: true,
    phone: "+41791234567",
    phoneVerified: false,
    metadata: { "custom:department": "Engines", birthdate: "1815-12-10" },
    inactive: false,
    lost: ["password: Cognito gives no hashes"],
  });
});

test("a federated user has links, no password to lose, and no user name", () => {
  const identities =
    '[{"userId":"1098","providerName":"Google","providerType":"Google","issuer":null,"primary":true,"dateCreated":1600000000000}]';
  const user = {
    Username: "google_1098",
    Attributes: attributes({ sub: "5", email: "a@example.com", identities }),
    Enabled: true,
    UserStatus: "EXTERNAL_PROVIDER",
  };
  expect(readUser(cognito, user)).toEqual({
    sourceId: "5",
    email: "a@example.com",
    links: [{ provider: "Google", externalUserId: "1098" }],
    inactive: false,
  });
});

test("a user name that Cognito has made is none, and a preferred one counts", () => {
  const made = { ...USER, Username: "11111111-2222-3333-4444-555555555555" };
  expect(readUser(cognito, made).userName).toBeUndefined();
  const preferred = { ...made, Attributes: [...USER.Attributes, { Name: "preferred_username", Value: "countess" }] };
  expect(readUser(cognito, preferred).userName).toBe("countess");
});

test.each([
  [{ Enabled: false, UserStatus: "CONFIRMED" }, true],
  [{ Enabled: true, UserStatus: "ARCHIVED" }, true],
  [{ Enabled: true, UserStatus: "COMPROMISED" }, true],
  [{ Enabled: true, UserStatus: "FORCE_CHANGE_PASSWORD" }, false],
  [{ Enabled: true, UserStatus: "UNCONFIRMED" }, false],
])("the state of %j is inactive: %j", (state, inactive) => {
  expect(readUser(cognito, { ...USER, ...state }).inactive).toBe(inactive);
});

test("the attributes of AdminGetUser have another name, and it tells the second factors", () => {
  const { Attributes: UserAttributes, ...user } = USER;
  const record = { ...user, UserAttributes, UserMFASettingList: ["SOFTWARE_TOKEN_MFA", "SMS_MFA"] };
  expect(readUser(cognito, record).firstName).toBe("Ada");
  expect(lostOf(cognito, record)).toEqual([
    "password: Cognito gives no hashes",
    "one-time codes: Cognito does not give the secrets",
    "second factor by SMS",
  ]);
});

test("problems of attributes name them", () => {
  expect(convert(cognito, { Username: "a", Attributes: attributes({ email_verified: "perhaps" }) })).toMatchObject({
    kind: "refused",
    sourceId: "a",
    problems: [{ field: "Attributes.email_verified", description: "must be true or false" }],
  });
});
