import type { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import { UserState } from "../../../gen/signet/v1/user_pb.js";
import { type PhoneQuery, type SearchQuery, TypeQuery_Type } from "../../../gen/signet/v1/user_search_pb.js";
import { toIdRange } from "../../crypto/secrets.ts";
import type { Problems } from "../../errors.ts";
import { parseSearchedPhone } from "../../fields/searched-phone.ts";
import type { UserCondition } from "../../users/read/user-condition.ts";
import { type Conversions, convertQuery, toTextMatch } from "./list.ts";

const MAX_DEPTH = 5;
const MAX_LEAVES = 20;

/**
 * Converts the conditions of a search.
 *
 * @param path JSON path of the list.
 */
export function toUserConditions(queries: readonly SearchQuery[], path: string, problems: Problems): UserCondition[] {
  let leaves = 0;
  const conditions = queries.map((query, n) => convert(query, `${path}[${n}]`, 1));
  if (leaves > MAX_LEAVES) problems.add(path, `must have at most ${MAX_LEAVES} conditions in total, has ${leaves}`);
  return conditions;

  function convert({ query }: SearchQuery, at: string, depth: number): UserCondition {
    if (depth > MAX_DEPTH) {
      problems.add(at, `is nested more than ${MAX_DEPTH} levels deep`);
      return NONE;
    }
    const convertAll = (inner: readonly SearchQuery[], list: string) =>
      inner.map((each, n) => convert(each, `${at}.${list}[${n}]`, depth + 1));
    switch (query.case) {
      case "orQuery":
        return { kind: "or", conditions: convertAll(query.value.queries, "orQuery.queries") };
      case "andQuery":
        return { kind: "and", conditions: convertAll(query.value.queries, "andQuery.queries") };
      case "notQuery":
        // The schema rejects a condition without a query.
        if (query.value.query === undefined) return NONE;
        return { kind: "not", condition: convert(query.value.query, `${at}.notQuery.query`, depth + 1) };
      default:
        leaves += 1;
        return convertQuery(LEAVES, query, problems, at) ?? NONE;
    }
  }
}

const NONE: UserCondition = { kind: "or", conditions: [] };

type Leaf = Exclude<SearchQuery["query"], { readonly case: "orQuery" | "andQuery" | "notQuery" }>;

const LEAVES: Conversions<Leaf, UserCondition> = {
  userNameQuery: (query) => text("userName", query.userName, query),
  loginNameQuery: (query) => text("userName", query.loginName, query),
  firstNameQuery: (query) => text("firstName", query.firstName, query),
  lastNameQuery: (query) => text("lastName", query.lastName, query),
  nickNameQuery: (query) => text("nickName", query.nickName, query),
  displayNameQuery: (query) => text("displayName", query.displayName, query),
  emailQuery: (query) => text("email", query.emailAddress, query),
  stateQuery({ state }, problems, at) {
    if (state === UserState.UNSPECIFIED) problems.add(`${at}.stateQuery.state`, "is required");
    return { kind: "state", state };
  },
  typeQuery({ type }, problems, at) {
    if (type === TypeQuery_Type.UNSPECIFIED) problems.add(`${at}.typeQuery.type`, "is required");
    return { kind: "type", type };
  },
  inUserIdsQuery: ({ userIds: ids }) => ({ kind: "ids", ids }),
  idPrefixQuery({ idPrefix }, problems, at) {
    const range = toIdRange(idPrefix);
    if (range !== undefined) return { kind: "id-range", ...range };
    problems.add(`${at}.idPrefixQuery.idPrefix`, "must be the beginning of an id with 8 hexadecimal digits or more");
    return NONE;
  },
  inUserEmailsQuery: ({ userEmails: emails }) => ({ kind: "emails", emails }),
  metadataQuery({ key, value, method }, problems, at) {
    const { part, ignoresCase } = toTextMatch(method);
    if (ignoresCase) problems.add(`${at}.metadataQuery.method`, "must respect case: values are bytes");
    return { kind: "metadata", key, value, part };
  },
  idpLinkQuery: ({ idpId, externalUserId }) => ({ kind: "link", idpId, externalUserId }),
  subjectQuery: ({ subject }) => ({ kind: "subject", subject }),
  phoneQuery: (query, problems, at) => toPhoneCondition(query, `${at}.phoneQuery`, problems),
};

function toPhoneCondition({ phone, method }: PhoneQuery, at: string, problems: Problems): UserCondition {
  const { part } = toTextMatch(method);
  if (part === "any" || part === "end") {
    problems.add(`${at}.method`, "must be EQUALS or STARTS_WITH: numbers are found by their beginning");
    return NONE;
  }
  const parsed = parseSearchedPhone(phone, part);
  if (!parsed.ok) {
    problems.add(`${at}.phone`, parsed.description);
    return NONE;
  }
  return { kind: "phone", phone: parsed.e164, part };
}

type TextField = Extract<UserCondition, { kind: "text" }>["field"];

function text(field: TextField, value: string, { method }: { method: TextQueryMethod }): UserCondition {
  return { kind: "text", field, text: value, match: toTextMatch(method) };
}
