import { entra } from "../../../src/moving/sources/entra.ts";
import { convert, readUser } from "./read.ts";

/** After the response of `GET /v1.0/users`. */
const USER = {
  id: "87d349ed-44d7-43e1-9a83-5f2406dee5bd",
  accountEnabled: true,
  displayName: "Ada Lovelace",
  givenName: "Ada",
  surname: "Lovelace",
  mail: "Ada@contoso.example",
  otherMails: ["ada@home.example"],
  mobilePhone: "+41 79 123 45 67",
  businessPhones: ["+41 44 123 45 67"],
  preferredLanguage: "en-US",
  jobTitle: "Engineer",
  officeLocation: null,
  userType: "Member",
  userPrincipalName: "ada@contoso.example",
  identities: [
    { signInType: "userPrincipalName", issuer: "contoso.onmicrosoft.com", issuerAssignedId: "ada@contoso.example" },
  ],
  context: { "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#users" },
};

test("a member of a tenant", () => {
  expect(readUser(entra, USER)).toEqual({
    sourceId: USER.id,
    userName: "ada@contoso.example",
    firstName: "Ada",
    lastName: "Lovelace",
    displayName: "Ada Lovelace",
    language: "en-US",
    email: "Ada@contoso.example",
    phone: "+41 79 123 45 67",
    links: [{ provider: "microsoft", externalUserId: USER.id }],
    metadata: { businessPhones: '["+41 44 123 45 67"]', jobTitle: "Engineer", userType: "Member" },
    lost: ["password: Entra ID gives no hashes", "second email address"],
  });
});

test("customers have local accounts and providers, and generated principal names", () => {
  const identities = [
    { signInType: "userName", issuer: "contoso.onmicrosoft.com", issuerAssignedId: "ada" },
    { signInType: "emailAddress", issuer: "contoso.onmicrosoft.com", issuerAssignedId: "ada@example.com" },
    { signInType: "federated", issuer: "google.com", issuerAssignedId: "1098" },
    { signInType: "federated", issuer: "ExternalAzureAD", issuerAssignedId: null },
  ];
  const user = { id: "1", accountEnabled: true, userPrincipalName: `${USER.id}@contoso.onmicrosoft.com`, identities };
  expect(readUser(entra, user)).toMatchObject({
    userName: "ada",
    email: "ada@example.com",
    links: [{ provider: "google.com", externalUserId: "1098" }],
  });
  expect(readUser(entra, { ...user, identities: [] }).userName).toBeUndefined();
  const local = { ...user, identities: identities.slice(0, 2) };
  expect(readUser(entra, local).links).toBeUndefined();
  const guest = { ...user, identities: [], userPrincipalName: "ada_example.com#EXT#@contoso.onmicrosoft.com" };
  expect(readUser(entra, guest).userName).toBeUndefined();
  expect(readUser(entra, { ...guest, identities: identities.slice(3) }).links).toEqual([
    { provider: "microsoft", externalUserId: "1" },
  ]);
});

test("a row of the CSV", () => {
  const row = {
    objectId: "1",
    userPrincipalName: "ada@contoso.example",
    accountEnabled: "True",
    mail: "",
    state: "CA",
  };
  expect(readUser(entra, { ...row, alternateEmailAddress: "ada@home.example" })).toMatchObject({
    sourceId: "1",
    email: "ada@home.example",
    metadata: { state: "CA" },
  });
});

test("a user of whom the export does not say whether they are disabled is refused", () => {
  expect(convert(entra, { ...USER, accountEnabled: undefined })).toMatchObject({
    kind: "refused",
    problems: [{ field: "accountEnabled", description: expect.stringContaining("add it to $select") }],
  });
});

test("a deleted user is left out", () => {
  expect(convert(entra, { ...USER, deletedDateTime: "2024-01-15T10:30:00Z" })).toEqual({
    kind: "skipped",
    sourceId: USER.id,
    reason: "deleted user",
  });
});
