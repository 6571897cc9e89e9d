import { create, toJson } from "@bufbuild/protobuf";
import { ImportDataRequestSchema } from "@zitadel/proto/zitadel/admin_pb";
import { Gender } from "@zitadel/proto/zitadel/user_pb";
import { hashSync } from "bcryptjs";
import { zitadel } from "../../../src/moving/sources/zitadel.ts";
import { convert, isPassword, readUser } from "./read.ts";

/** An export with the published messages of ZITADEL: two organizations, users, a machine user, metadata and links. */
const EXPORT = create(ImportDataRequestSchema, {
  data: {
    case: "dataOrgs",
    value: {
      orgs: [
        {
          orgId: "104",
          org: { name: "Acme" },
          humanUsers: [
            {
              userId: "105",
              user: {
                userName: "ada",
                profile: {
                  firstName: "Ada",
                  lastName: "Lovelace",
                  nickName: "Countess",
                  displayName: "Ada Lovelace",
                  preferredLanguage: "en",
                  gender: Gender.FEMALE,
                },
                email: { email: "ada@example.com", isEmailVerified: true },
                phone: { phone: "+41791234567", isPhoneVerified: true },
                hashedPassword: { value: hashSync("correct horse", 4) },
                passwordChangeRequired: true,
                otpCode: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
                idps: [{ configId: "301", externalUserId: "g1", displayName: "ada@gmail.example" }],
              },
            },
          ],
          machineUsers: [{ userId: "106", user: { userName: "robot", name: "Robot" } }],
          userMetadata: [
            { id: "105", key: "plan", value: new TextEncoder().encode("pro") },
            { id: "105", key: "avatar", value: Uint8Array.of(0xff, 0xd8) },
          ],
          userLinks: [
            { userId: "105", idpId: "302", idpName: "GitHub", providedUserId: "42", providedUserName: "ada" },
            { userId: "105", idpId: "303", providedUserId: "43" },
          ],
        },
        {
          orgId: "204",
          org: { name: "Globex" },
          humanUsers: [
            {
              userId: "205",
              user: {
                userName: "bob",
                profile: { firstName: "Bob", lastName: "Hope", preferredLanguage: "und" },
                email: { email: "bob@example.com" },
              },
            },
          ],
        },
      ],
    },
  },
});

type Values = Readonly<Record<string, unknown>>;

/** What the importer makes of a document: the items of the arrays with their context, and with what belongs to them. */
function readUsers(document: unknown): Values[] {
  const records = zitadel.arrays.flatMap((path) => itemsAt(document, path, {}));
  const parts = records.flatMap((record) => zitadel.secondFile?.(record) ?? []);
  const users = records.filter((record) => zitadel.secondFile?.(record) === undefined);
  return users.map((user) => {
    const id = user.userId ?? user.user_id;
    return Object.assign({ ...user }, ...parts.filter((part) => part.id === id).map(({ values }) => values));
  });
}

function itemsAt(value: unknown, [key, ...rest]: readonly string[], context: Values): Values[] {
  if (Array.isArray(value)) {
    if (key === undefined) return value.map((item) => ({ ...item, context }));
    return key === "*" ? value.flatMap((item) => itemsAt(item, rest, context)) : [];
  }
  if (typeof value !== "object" || value === null || key === undefined || !Object.hasOwn(value, key)) return [];
  const plain = Object.entries(value).filter(([, member]) => !Array.isArray(member));
  return itemsAt((value as Values)[key], rest, { ...context, ...Object.fromEntries(plain) });
}

const ADA = {
  sourceId: "105",
  sourceOrg: "Acme",
  userName: "ada",
  firstName: "Ada",
  lastName: "Lovelace",
  nickName: "Countess",
  displayName: "Ada Lovelace",
  language: "en",
  gender: "female",
  email: "ada@example.com",
  emailVerified: true,
  phone: "+41791234567",
  phoneVerified: true,
  passwordHash: expect.stringMatching(/^\$2b\$04\$/),
  passwordChangeRequired: true,
  otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  links: [
    { provider: "302", externalUserId: "42", displayName: "ada" },
    { provider: "303", externalUserId: "43" },
    { provider: "301", externalUserId: "g1", displayName: "ada@gmail.example" },
  ],
  metadata: { plan: "pro", avatar: "/9g=" },
};

test.each([
  ["as JSON has names", false],
  ["as protos have names", true],
])("an export of two organizations, with fields named %s", (_name, useProtoFieldName) => {
  const document = toJson(ImportDataRequestSchema, EXPORT, { useProtoFieldName });
  const [ada, robot, bob, ...others] = readUsers(document).toSorted((left, right) =>
    String(left.userId ?? left.user_id).localeCompare(String(right.userId ?? right.user_id)),
  );
  expect(others).toEqual([]);
  const user = readUser(zitadel, ada ?? {});
  expect(user).toEqual(ADA);
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
  expect(convert(zitadel, robot ?? {})).toEqual({ kind: "skipped", sourceId: "106", reason: "machine user" });
  // "und" is ZITADEL's word for no language.
  expect(readUser(zitadel, bob ?? {})).toEqual({
    sourceId: "205",
    sourceOrg: "Globex",
    userName: "bob",
    firstName: "Bob",
    lastName: "Hope",
    email: "bob@example.com",
  });
});

test("a response of ExportData has the organizations at its top", () => {
  const { dataOrgs } = toJson(ImportDataRequestSchema, EXPORT) as { dataOrgs: object };
  expect(readUsers(dataOrgs)).toHaveLength(3);
});

test("metadata and links say which user they belong to", () => {
  expect(zitadel.secondFile?.({ id: "1", key: "plan", value: "cHJv" })).toEqual({
    id: "1",
    values: { "metadata:plan": { id: "1", key: "plan", value: "cHJv" } },
  });
  expect(zitadel.secondFile?.({ userId: "1", user: {} })).toBeUndefined();
});

test("enums may be numbers, and a plain password is not imported", () => {
  const user = { userName: "ada", profile: { gender: 3 }, password: "secret" };
  expect(readUser(zitadel, { userId: "1", user })).toEqual({
    sourceId: "1",
    userName: "ada",
    gender: "diverse",
    lost: ["password: plain text"],
  });
});

test("broken metadata refuses the user", () => {
  const record = { userId: "1", user: { profile: {} }, "metadata:plan": { id: "1", key: "plan", value: "%" } };
  expect(convert(zitadel, record)).toEqual({
    kind: "refused",
    sourceId: "1",
    problems: [{ field: "metadata:plan.value", description: "must be base64" }],
  });
});
