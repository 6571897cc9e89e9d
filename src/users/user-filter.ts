import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { TextQueryMethod } from "../../gen/signet/v1/list_pb.js";
import { UserState } from "../../gen/signet/v1/user_pb.js";
import { type SearchQuery, TypeQuery_Type } from "../../gen/signet/v1/user_search_pb.js";
import { isId } from "../crypto/secrets.ts";
import { matchesText, type SearchedText } from "../database/text-match.ts";
import type { Problems } from "../errors.ts";
import { toTextMatch } from "../fields/text-query-method.ts";
import { USER_STATE, USER_TEXTS, USER_TYPE } from "./user-columns.ts";

const MAX_DEPTH = 5;
const MAX_LEAVES = 20;

/**
 * Converts the conditions of a search. The statement restricts the search to one organization outside of these
 * conditions.
 *
 * @param path JSON path of the list.
 */
export function toUserFilters(
  queries: readonly SearchQuery[],
  path: string,
  problems: Problems,
): RawBuilder<SqlBool>[] {
  let leaves = 0;
  const filters = queries.map((query, n) => convert(query, `${path}[${n}]`, 1));
  if (leaves > MAX_LEAVES) problems.add(path, `must have at most ${MAX_LEAVES} conditions in total, has ${leaves}`);
  return filters;

  function convert({ query }: SearchQuery, at: string, depth: number): RawBuilder<SqlBool> {
    if (depth > MAX_DEPTH) {
      problems.add(at, `is nested more than ${MAX_DEPTH} levels deep`);
      return NONE;
    }
    switch (query.case) {
      case "orQuery":
        return combine(query.value.queries, `${at}.orQuery.queries`, depth, sql` or `);
      case "andQuery":
        return combine(query.value.queries, `${at}.andQuery.queries`, depth, sql` and `);
      case "notQuery":
        // The schema rejects a condition without a query.
        if (query.value.query === undefined) return NONE;
        return sql`not (${convert(query.value.query, `${at}.notQuery.query`, depth + 1)})`;
      default:
        leaves += 1;
        return convertLeaf(query, at);
    }
  }

  function combine(
    inner: readonly SearchQuery[],
    at: string,
    depth: number,
    operator: RawBuilder<unknown>,
  ): RawBuilder<SqlBool> {
    const conditions = inner.map((query, n) => sql`(${convert(query, `${at}[${n}]`, depth + 1)})`);
    // The schema rejects an empty list.
    return conditions.length === 0 ? NONE : sql`(${sql.join(conditions, operator)})`;
  }

  function convertLeaf(query: SearchQuery["query"], at: string): RawBuilder<SqlBool> {
    const { userName, firstName, lastName, nickName, displayName, email } = USER_TEXTS;
    switch (query.case) {
      case "userNameQuery":
        return matches(userName, query.value.userName, query.value.method);
      case "loginNameQuery":
        return matches(userName, query.value.loginName, query.value.method);
      case "firstNameQuery":
        return matches(firstName, query.value.firstName, query.value.method);
      case "lastNameQuery":
        return matches(lastName, query.value.lastName, query.value.method);
      case "nickNameQuery":
        return matches(nickName, query.value.nickName, query.value.method);
      case "displayNameQuery":
        return matches(displayName, query.value.displayName, query.value.method);
      case "emailQuery":
        return matches(email, query.value.emailAddress, query.value.method);
      case "stateQuery":
        if (query.value.state === UserState.UNSPECIFIED) problems.add(`${at}.stateQuery.state`, "is required");
        return sql`${USER_STATE} = ${query.value.state}::integer`;
      case "typeQuery":
        if (query.value.type === TypeQuery_Type.UNSPECIFIED) problems.add(`${at}.typeQuery.type`, "is required");
        return sql`${USER_TYPE} = ${query.value.type}::integer`;
      case "inUserIdsQuery":
        return sql`users.id = any(${query.value.userIds.filter(isId)}::uuid[])`;
      case "inUserEmailsQuery":
        return isOneOf(email, query.value.userEmails);
      default:
        problems.add(at, "must contain a condition");
        return NONE;
    }
  }
}

const NONE = sql<SqlBool>`false`;

function matches(column: SearchedText, text: string, method: TextQueryMethod): RawBuilder<SqlBool> {
  return matchesText(column, toTextMatch(method), text);
}

function isOneOf({ folded, fold }: SearchedText, texts: readonly string[]): RawBuilder<SqlBool> {
  if (texts.length === 0) return NONE;
  return sql`${folded} collate "C" = any(array[${sql.join(texts.map(fold))}])`;
}
