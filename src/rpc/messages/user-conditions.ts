import type { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import { UserState } from "../../../gen/signet/v1/user_pb.js";
import { type PhoneQuery, type SearchQuery, TypeQuery_Type } from "../../../gen/signet/v1/user_search_pb.js";
import { toIdRange } from "../../crypto/secrets.ts";
import type { Problems } from "../../errors.ts";
import { parseSearchedPhone } from "../../fields/searched-phone.ts";
import type { UserCondition } from "../../users/read/user-condition.ts";
import { toTextMatch } from "./list.ts";

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
        return convertLeaf(query, at, problems);
    }
  }
}

const NONE: UserCondition = { kind: "or", conditions: [] };

function convertLeaf(query: SearchQuery["query"], at: string, problems: Problems): UserCondition {
  switch (query.case) {
    case "userNameQuery":
      return text("userName", query.value.userName, query.value);
    case "loginNameQuery":
      return text("userName", query.value.loginName, query.value);
    case "firstNameQuery":
      return text("firstName", query.value.firstName, query.value);
    case "lastNameQuery":
      return text("lastName", query.value.lastName, query.value);
    case "nickNameQuery":
      return text("nickName", query.value.nickName, query.value);
    case "displayNameQuery":
      return text("displayName", query.value.displayName, query.value);
    case "emailQuery":
      return text("email", query.value.emailAddress, query.value);
    case "stateQuery":
      if (query.value.state === UserState.UNSPECIFIED) problems.add(`${at}.stateQuery.state`, "is required");
      return { kind: "state", state: query.value.state };
    case "typeQuery":
      if (query.value.type === TypeQuery_Type.UNSPECIFIED) problems.add(`${at}.typeQuery.type`, "is required");
      return { kind: "type", type: query.value.type };
    case "inUserIdsQuery":
      return { kind: "ids", ids: query.value.userIds };
    case "idPrefixQuery": {
      const range = toIdRange(query.value.idPrefix);
      if (range !== undefined) return { kind: "id-range", ...range };
      problems.add(`${at}.idPrefixQuery.idPrefix`, "must be the beginning of an id with 8 hexadecimal digits or more");
      return NONE;
    }
    case "inUserEmailsQuery":
      return { kind: "emails", emails: query.value.userEmails };
    case "metadataQuery": {
      const { key, value, method } = query.value;
      const { part, ignoresCase } = toTextMatch(method);
      if (ignoresCase) problems.add(`${at}.metadataQuery.method`, "must respect case: values are bytes");
      return { kind: "metadata", key, value, part };
    }
    case "idpLinkQuery":
      return { kind: "link", idpId: query.value.idpId, externalUserId: query.value.externalUserId };
    case "subjectQuery":
      return { kind: "subject", subject: query.value.subject };
    case "phoneQuery":
      return toPhoneCondition(query.value, `${at}.phoneQuery`, problems);
    default:
      problems.add(at, "must contain a condition");
      return NONE;
  }
}

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
