import type { JsonObject } from "@bufbuild/protobuf";

/** A human user in the lists; fields default to `HUMAN`. */
export interface ListedHuman {
  readonly userName: string;
  readonly profile: { firstName: string; lastName: string; nickName?: string; displayName?: string };
  readonly email: { email: string; isEmailVerified: boolean };
  readonly phone?: { phone: string; isPhoneVerified: boolean };
}

const human = (
  userName: string,
  firstName: string,
  lastName: string,
  email: string,
  { phone, ...more }: { nickName?: string; displayName?: string; phone?: ListedHuman["phone"] } = {},
  isEmailVerified = true,
): ListedHuman => ({
  userName,
  profile: { firstName, lastName, ...more },
  email: { email, isEmailVerified },
  ...(phone && { phone }),
});

/** The human users of each organization, in order of creation. `kathe` has not finished the initialization. */
export const LISTED: readonly ListedHuman[] = [
  human("Ada", "Ada", "Lovelace", "ada@example.com", {
    nickName: "Countess",
    phone: { phone: "+41 79 123 45 67", isPhoneVerified: true },
  }),
  human("grace", "Grace", "Hopper", "grace.hopper@example.org", {
    displayName: "Amazing Grace",
    phone: { phone: "+41 79 123 00 00", isPhoneVerified: false },
  }),
  human("alan_t", "Alan", "Turing", "alan%t@example.com"),
  human("alanxt", "ALAN", "Kay", "Alan_K@example.com", { nickName: "50%\\_" }),
  human("kathe", "Käthe", "Ångström", "kathe@example.net", {}, false),
];

export const [ADA, GRACE, ALAN_T, ALANXT, KATHE] = ["Ada", "grace", "alan_t", "alanxt", "kathe"] as const;
/** A machine user of each organization. It was created first. */
export const MACHINE = "robot";
/** They are inactive and locked. */
export const STATES = { [GRACE]: "inactive", [ALANXT]: "locked" } as const;

export interface ListCase {
  readonly title: string;
  readonly queries: readonly JsonObject[];
  /** User names, in any order. */
  readonly found: readonly string[];
}

const ALL = [ADA, GRACE, ALAN_T, ALANXT, KATHE, MACHINE];
const but = (...names: readonly string[]) => ALL.filter((name) => !names.includes(name));
const text = (field: string, key: string, value: string, method: string): JsonObject => ({
  [field]: { [key]: value, ...(method !== "EQUALS" && { method: `TEXT_QUERY_METHOD_${method}` }) },
});
const userName = (value: string, method = "EQUALS") => text("userNameQuery", "userName", value, method);
const email = (value: string, method = "EQUALS") => text("emailQuery", "emailAddress", value, method);
const firstName = (value: string, method = "EQUALS") => text("firstNameQuery", "firstName", value, method);
const lastName = (value: string, method = "EQUALS") => text("lastNameQuery", "lastName", value, method);
const nickName = (value: string, method = "EQUALS") => text("nickNameQuery", "nickName", value, method);
const displayName = (value: string, method = "EQUALS") => text("displayNameQuery", "displayName", value, method);
const phone = (value: string, method = "EQUALS") => text("phoneQuery", "phone", value, method);
const state = (name: string): JsonObject => ({ stateQuery: { state: `USER_STATE_${name}` } });
const type = (name: string): JsonObject => ({ typeQuery: { type: `TYPE_${name}` } });
const or = (...queries: JsonObject[]): JsonObject => ({ orQuery: { queries } });
const and = (...queries: JsonObject[]): JsonObject => ({ andQuery: { queries } });
const not = (query: JsonObject): JsonObject => ({ notQuery: { query } });

const of = (title: string, queries: readonly JsonObject[], found: readonly string[]): ListCase => ({
  title,
  queries,
  found,
});

/** Searches. In each organization, they find only users of that organization. */
export const LIST_CASES: readonly ListCase[] = [
  of("no condition", [], ALL),
  of("a user name", [userName("Ada")], [ADA]),
  of("a user name in another case", [userName("ada")], []),
  of("a user name regardless of case", [userName("ADA", "EQUALS_IGNORE_CASE")], [ADA]),
  of("the beginning of a user name", [userName("alan", "STARTS_WITH")], [ALAN_T, ALANXT]),
  of("an underscore in the beginning", [userName("alan_", "STARTS_WITH")], [ALAN_T]),
  of("a percent sign in the beginning", [userName("alan%", "STARTS_WITH_IGNORE_CASE")], []),
  of("a part of a user name", [userName("an_", "CONTAINS")], [ALAN_T]),
  of("a part of a user name regardless of case", [userName("D", "CONTAINS_IGNORE_CASE")], [ADA]),
  of("the end of a user name", [userName("t", "ENDS_WITH")], [ALAN_T, ALANXT, MACHINE]),
  of("the end of a user name regardless of case", [userName("ACE", "ENDS_WITH_IGNORE_CASE")], [GRACE]),
  of("a login name", [text("loginNameQuery", "loginName", "robot", "EQUALS")], [MACHINE]),
  of("a first name", [firstName("Alan")], [ALAN_T]),
  of("a first name regardless of case", [firstName("alan", "EQUALS_IGNORE_CASE")], [ALAN_T, ALANXT]),
  of("the beginning of a first name", [firstName("A", "STARTS_WITH")], [ADA, ALAN_T, ALANXT]),
  of("a part of a first name", [firstName("lan", "CONTAINS")], [ALAN_T]),
  of("a letter beyond ASCII", [firstName("ä", "CONTAINS")], [KATHE]),
  of("the end of a first name regardless of case", [firstName("AN", "ENDS_WITH_IGNORE_CASE")], [ALAN_T, ALANXT]),
  of("a last name", [lastName("Hopper")], [GRACE]),
  of("the beginning of a last name regardless of case", [lastName("hOp", "STARTS_WITH_IGNORE_CASE")], [GRACE]),
  of("a nickname of special characters", [nickName("50%\\_")], [ALANXT]),
  of("a percent sign in a nickname", [nickName("%", "CONTAINS")], [ALANXT]),
  of("a backslash in a nickname", [nickName("\\", "CONTAINS_IGNORE_CASE")], [ALANXT]),
  of("an underscore at the end of a nickname", [nickName("_", "ENDS_WITH")], [ALANXT]),
  of("no nickname", [nickName("")], but(ADA, ALANXT)),
  of("a display name", [displayName("Amazing Grace")], [GRACE]),
  of("a part of a display name", [displayName("g G", "CONTAINS")], [GRACE]),
  of("an email address", [email("ada@example.com")], [ADA]),
  of("an email address regardless of case", [email("alan_k@EXAMPLE.com", "EQUALS_IGNORE_CASE")], [ALANXT]),
  of("the beginning of an email address", [email("alan%", "STARTS_WITH")], [ALAN_T]),
  of("an underscore in an email address", [email("n_k", "CONTAINS_IGNORE_CASE")], [ALANXT]),
  of("the end of an email address", [email("@example.com", "ENDS_WITH")], [ADA, ALAN_T, ALANXT]),
  of("an empty beginning", [email("", "STARTS_WITH")], ALL),
  of("text of another field", [email("Lovelace", "CONTAINS")], []),
  of("text across two fields", [email("Grace\ngrace", "CONTAINS_IGNORE_CASE")], []),
  of("a phone number", [phone("+41791234567")], [ADA]),
  of("a phone number with separators", [phone("tel:+41-79-123-45-67")], [ADA]),
  of("a phone number regardless of case", [phone("+41791234567", "EQUALS_IGNORE_CASE")], [ADA]),
  of("an unverified phone number", [phone("+41 79 123 00 00")], [GRACE]),
  of("the beginning of phone numbers", [phone("+41 (0)79 12", "STARTS_WITH")], [ADA, GRACE]),
  of("the beginning of phone numbers regardless of case", [phone("+4179", "STARTS_WITH_IGNORE_CASE")], [ADA, GRACE]),
  of("a phone number as a beginning", [phone("+41791234567", "STARTS_WITH")], [ADA]),
  of("a part of a phone number", [phone("+4179123456")], []),
  of("a phone number that is not possible", [phone("+999 1")], []),
  of("the opposite of a phone number, with users without one", [not(phone("+41791234567"))], but(ADA)),
  of("the opposite of a beginning of phone numbers", [not(phone("+41", "STARTS_WITH"))], but(ADA, GRACE)),
  of("one of a phone number and a user name", [or(phone("+41791234567"), userName("grace"))], [ADA, GRACE]),
  of("active users", [state("ACTIVE")], [ADA, ALAN_T, MACHINE]),
  of("inactive users", [state("INACTIVE")], [GRACE]),
  of("locked users", [state("LOCKED")], [ALANXT]),
  of("users with an open initialization", [state("INITIAL")], [KATHE]),
  of("deleted users", [state("DELETED")], []),
  of("machine users", [type("MACHINE")], [MACHINE]),
  of("human users", [type("HUMAN")], but(MACHINE)),
  of("one of several email addresses", [{ inUserEmailsQuery: { userEmails: ["ADA@example.com", "x"] } }], [ADA]),
  of("ids that are none", [{ inUserIdsQuery: { userIds: ["robot", "%"] } }], []),
  of("two conditions", [type("HUMAN"), email("com", "ENDS_WITH")], [ADA, ALAN_T, ALANXT]),
  of("one of two conditions", [or(userName("Ada"), userName("grace"))], [ADA, GRACE]),
  of("both of two conditions", [and(type("HUMAN"), state("ACTIVE"))], [ADA, ALAN_T]),
  of("the opposite of a condition", [not(userName("Ada"))], but(ADA)),
  of("the opposite, with users without a value", [not(nickName("Countess"))], but(ADA)),
  of("the opposite of a beginning", [not(email("ada", "STARTS_WITH"))], but(ADA)),
  of("the opposite of one of two", [not(or(type("MACHINE"), state("ACTIVE")))], [GRACE, ALANXT, KATHE]),
  of("one of a condition and its opposite", [or(userName("Ada"), not(userName("Ada")))], ALL),
  of("the opposite of nothing found", [not({ inUserIdsQuery: { userIds: ["x"] } })], ALL),
  of("one of two, and a third", [or(userName("Ada"), userName("grace")), state("ACTIVE")], [ADA]),
  of("five levels", [not(not(or(and(userName("Ada")))))], [ADA]),
  of("SQL", [userName("' or 1=1 --", "CONTAINS")], []),
];

export interface RejectedCase {
  readonly title: string;
  readonly request: JsonObject;
  readonly fields: readonly string[];
}

/** Requests that violate a rule, and the fields named in the error. */
export const REJECTED_LISTS: readonly RejectedCase[] = [
  { title: "a limit of 1,001", request: { query: { limit: 1_001 } }, fields: ["query.limit"] },
  { title: "an offset of 10,001", request: { query: { offset: 10_001 } }, fields: ["query.offset"] },
  { title: "a page token of no page", request: { query: { pageToken: "abc" } }, fields: ["query.pageToken"] },
  { title: "a condition without content", request: { queries: [{}] }, fields: ["queries[0]"] },
  { title: "no state", request: { queries: [{ stateQuery: {} }] }, fields: ["queries[0].stateQuery.state"] },
  { title: "no type", request: { queries: [{ typeQuery: {} }] }, fields: ["queries[0].typeQuery.type"] },
  { title: "an unknown sorting column", request: { sortingColumn: 99 }, fields: ["sortingColumn"] },
  {
    title: "an unknown method",
    request: { queries: [{ emailQuery: { emailAddress: "x", method: 99 } }] },
    fields: ["queries[0].emailQuery.method"],
  },
  { title: "one of no conditions", request: { queries: [or()] }, fields: ["queries[0].orQuery.queries"] },
  { title: "the opposite of nothing", request: { queries: [{ notQuery: {} }] }, fields: ["queries[0].notQuery.query"] },
  { title: "no ids", request: { queries: [{ inUserIdsQuery: {} }] }, fields: ["queries[0].inUserIdsQuery.userIds"] },
  {
    title: "the opposite of no ids",
    request: { queries: [not({ inUserIdsQuery: { userIds: [] } })] },
    fields: ["queries[0].notQuery.query.inUserIdsQuery.userIds"],
  },
  {
    title: "values against the rules in nested conditions",
    request: {
      queries: [
        or(
          { inUserIdsQuery: { userIds: ["x".repeat(201)] } },
          and({ stateQuery: { state: 99 } }, not({ emailQuery: { emailAddress: "x".repeat(100_000), method: 99 } })),
        ),
      ],
    },
    fields: [
      "queries[0].orQuery.queries[0].inUserIdsQuery.userIds[0]",
      "queries[0].orQuery.queries[1].andQuery.queries[0].stateQuery.state",
      "queries[0].orQuery.queries[1].andQuery.queries[1].notQuery.query.emailQuery.emailAddress",
      "queries[0].orQuery.queries[1].andQuery.queries[1].notQuery.query.emailQuery.method",
    ],
  },
  {
    title: "six levels",
    request: { queries: [not(not(not(not(not(userName("x"))))))] },
    fields: ["queries[0].notQuery.query.notQuery.query.notQuery.query.notQuery.query.notQuery.query"],
  },
  {
    title: "21 conditions in two lists",
    request: { queries: [or(...Array(20).fill(userName("x"))), userName("x")] },
    fields: ["queries"],
  },
  { title: "21 conditions", request: { queries: Array(21).fill(userName("x")) }, fields: ["queries"] },
  {
    title: "a name of 201 characters",
    request: { queries: [firstName("x".repeat(201))] },
    fields: ["queries[0].firstNameQuery.firstName"],
  },
  {
    title: "a part of a phone number by a method that no index supports",
    request: { queries: [phone("+4179", "CONTAINS"), not(phone("67", "ENDS_WITH_IGNORE_CASE"))] },
    fields: ["queries[0].phoneQuery.method", "queries[1].notQuery.query.phoneQuery.method"],
  },
  {
    title: "phone numbers in a national format",
    request: { queries: [phone("079 123 45 67"), phone("079", "STARTS_WITH")] },
    fields: ["queries[0].phoneQuery.phone", "queries[1].phoneQuery.phone"],
  },
  {
    title: "no phone number, and one of 51 characters",
    request: { queries: [phone(""), phone("+4179".padEnd(51, "-"))] },
    fields: ["queries[0].phoneQuery.phone", "queries[1].phoneQuery.phone"],
  },
  {
    title: "what no id begins with",
    request: { queries: ["01a2010", "01a20107z", "01a201070"].map((idPrefix) => ({ idPrefixQuery: { idPrefix } })) },
    fields: [0, 1, 2].map((n) => `queries[${n}].idPrefixQuery.idPrefix`),
  },
  {
    title: "a NUL",
    request: { queries: [firstName("a\0b", "CONTAINS")] },
    fields: ["queries[0].firstNameQuery.firstName"],
  },
];
