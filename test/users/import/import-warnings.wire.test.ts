import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Rpc } from "../../support/clients/callers.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const SECRET = "JBSWY3DPEHPK3PXP";
const CODES = ["7KQ2-M4XW"];

let service: TestService;
let caller: Caller;
let users = 0;
beforeAll(async () => {
  service = await startService("postgres");
  for (const secret of [PASSWORD, SECRET]) service.secret(secret);
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function send(rpc: Rpc, request: JsonObject, headers = {}): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

const newUser = (changes: JsonObject): JsonObject => ({ userName: `user-${++users}`, ...HUMAN, ...changes });
const withPassword = (password: string, changes: JsonObject = {}) => ({ hashedPassword: {}, password, ...changes });
const withName = (changes: JsonObject) => ({ profile: { ...HUMAN.profile, ...changes } });

const found = ({ warnings = [] }: { warnings?: { field: string; reason: string; description: string }[] }) =>
  warnings.map(({ field, reason, description }) => {
    expect(description).toMatch(/^[a-z]/);
    return `${field} ${reason}`;
  });

const CASES: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  [
    "nothing",
    withPassword(PASSWORD, { otpCode: SECRET, recoveryCodes: CODES, ...withName({ preferredLanguage: "de-CH" }) }),
    [],
  ],
  ["a password of one letter", withPassword("a"), ["password PASSWORD_WEAK"]],
  ["a common password", withPassword("password123"), ["password PASSWORD_WEAK"]],
  ["a password of names", withPassword("lovelace1815"), ["password PASSWORD_WEAK"]],
  ["a weak password that must be changed", withPassword("a", { passwordChangeRequired: true }), []],
  ["a secret with dashes and spaces", { otpCode: "jbsw-y3dp EHPK-3pxp" }, []],
  ["a secret in hexadecimal", { otpCode: "48656c6c6f21deadbeef" }, ["otpCode OTP_CODE_UNUSABLE"]],
  ["codes by counter", { otpCode: `otpauth://hotp/?secret=${SECRET}&counter=1` }, ["otpCode OTP_CODE_UNUSABLE"]],
  [
    "recovery codes with another text",
    { otpCode: "call me", recoveryCodes: CODES },
    ["otpCode OTP_CODE_UNUSABLE", "recoveryCodes RECOVERY_CODES_IGNORED"],
  ],
  ["a language without texts", withName({ preferredLanguage: "it" }), ["profile.preferredLanguage LANGUAGE_IGNORED"]],
  [
    "names and an address with marks",
    {
      userName: "\u202amarked\u202c",
      ...withName({ nickName: "\u200eAl" }),
      email: { email: "ada@example.com\u00ad" },
    },
    ["userName NAME_CLEANED", "profile.nickName NAME_CLEANED", "email.email NAME_CLEANED"],
  ],
  ["an extension", { phone: { phone: "tel:+41-79-123-45-67;ext=5" } }, ["phone.phone PHONE_EXTENSION_DROPPED"]],
  ["another parameter", { phone: { phone: "tel:+41-79-123-45-67;foo=5" } }, ["phone.phone PHONE_PARAMETER_DROPPED"]],
];

test.each(CASES)("warns about %s", async (_what, changes, expected) => {
  expect(found(await send("ImportHumanUser", newUser(changes)))).toEqual(expected);
});

test("a repeated call and a call for several users warn too", async () => {
  const user = newUser(withPassword("a"));
  const headers = { "idempotency-key": "warned" };
  const first = await send("ImportHumanUser", user, headers);
  expect(await send("ImportHumanUser", user, headers)).toEqual(first);
  expect(found(first)).toEqual(["password PASSWORD_WEAK"]);
  const { results } = await send("BulkImportHumanUsers", { users: [{ user: newUser(withPassword("a")) }] });
  expect((results as { imported: JsonObject }[]).map(({ imported }) => found(imported))).toEqual([
    ["password PASSWORD_WEAK"],
  ]);
});
