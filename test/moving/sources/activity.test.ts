import { SOURCES } from "../../../src/moving/sources.ts";

const convert = (from: string, record: Record<string, unknown>, map = {}) => SOURCES[from]?.convert(record, { map });

/** A record of each system, and how it says that the user may not sign in. */
const RECORDS: readonly (readonly [from: string, record: Record<string, unknown>, marks: readonly object[]])[] = [
  ["auth0", { user_id: "auth0|1" }, [{ blocked: true }, { Blocked: "true" }]],
  ["better-auth", { id: "1" }, [{ banned: true }, { isActive: false }, { deleted_at: "2024-01-31 10:30:00" }]],
  ["clerk", { id: "1" }, [{ banned: true }, { locked: true }]],
  ["cognito", { Username: "1" }, [{ Enabled: false }, { UserStatus: "ARCHIVED" }]],
  ["csv", { id: "1" }, [{ accountEnabled: false }, { status: "DEPROVISIONED" }, { userAccountControl: "514" }]],
  ["entra", { id: "1", accountEnabled: true }, [{ accountEnabled: false }, { accountEnabled: "False" }]],
  ["firebase", { localId: "1", email: "a@example.com" }, [{ disabled: true }]],
  ["fusionauth", { id: "1", active: true }, [{ active: false }, { expiry: 1571786483322 }]],
  ["keycloak", { id: "1" }, [{ enabled: false }, { attributes: { userAccountControl: ["514"] } }]],
  ["kratos", { id: "1" }, [{ state: "inactive" }]],
  [
    "ldif",
    { dn: "1" },
    [{ useraccountcontrol: "514" }, { nsaccountlock: "TRUE" }, { pwdaccountlockedtime: "000001010000Z" }],
  ],
  ["logto", { id: "1" }, [{ is_suspended: true }, { isSuspended: true }]],
  ["okta", { id: "1", status: "LOCKED_OUT" }, [{ status: "SUSPENDED" }, { status: "DEPROVISIONED" }]],
  ["supabase", { id: "1" }, [{ banned_until: "2999-01-31 10:30:00+00" }, { disabled: "t" }]],
  ["workos", { id: "1" }, [{ state: "inactive" }, { status: "suspended" }]],
  ["zitadel", { userId: "1", user: {} }, [{ user: { state: "USER_STATE_INACTIVE" } }, { user: { state: 4 } }]],
];

test("every system is here but Signet, which writes `inactive` itself", () => {
  expect([...RECORDS.map(([from]) => from), "signet"].sort()).toEqual(Object.keys(SOURCES).sort());
});

test.each(RECORDS)("%s: a disabled user arrives inactive", (from, record, marks) => {
  const inactive = (changes: object) => convert(from, { ...record, ...changes });
  for (const mark of marks) expect(inactive(mark)).toMatchObject({ kind: "user", user: { inactive: true } });
  expect(inactive({})).not.toMatchObject({ user: { inactive: true } });
});

test.each(RECORDS)("%s: a flag that cannot be read refuses the user", (from, record) => {
  expect(convert(from, { ...record, is_active: "perhaps" })).toMatchObject({ kind: "refused" });
});

test("a flag that is read twice has one problem", () => {
  expect(convert("entra", { id: "1", accountEnabled: "perhaps" })).toMatchObject({
    problems: [{ field: "accountEnabled", description: "must be true or false" }],
  });
});

test("a status that is not known, and a list, say nothing in the record of a system", () => {
  const record = { id: "1", state: "CA", status: "online", blocked: ["2", "3"] };
  expect(convert("workos", record)).not.toMatchObject({ user: { inactive: true } });
});

test("traits and attributes can be mapped", () => {
  const traits = { id: "1", traits: { employee: { active: false } } };
  expect(convert("kratos", traits, { "employee.active": "active" })).toMatchObject({ user: { inactive: true } });
  const attributes = { id: "1", attributes: { lifecycle: ["SUSPENDED"] } };
  expect(convert("keycloak", attributes, { lifecycle: "status" })).toMatchObject({ user: { inactive: true } });
});
