import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isId } from "../../crypto/secrets.ts";
import { matchesText, type SearchedText, type TextMatch } from "../../database/text-match.ts";
import { USER_STATE, USER_TEXTS, USER_TYPE } from "./user-columns.ts";

/** A condition of a search for users. */
export type UserCondition =
  /** No user satisfies an empty list. */
  | { readonly kind: "or" | "and"; readonly conditions: readonly UserCondition[] }
  | { readonly kind: "not"; readonly condition: UserCondition }
  | {
      readonly kind: "text";
      readonly field: keyof typeof USER_TEXTS;
      readonly text: string;
      readonly match: TextMatch;
    }
  /** A number of `USER_STATE`. */
  | { readonly kind: "state"; readonly state: number }
  /** A number of `USER_TYPE`. */
  | { readonly kind: "type"; readonly type: number }
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  /** Both included. */
  | { readonly kind: "id-range"; readonly first: string; readonly last: string }
  | { readonly kind: "emails"; readonly emails: readonly string[] }
  /** A value in the user's metadata. */
  | {
      readonly kind: "metadata";
      readonly key: string;
      readonly value: Uint8Array;
      readonly part: TextMatch["part"];
    }
  /** A link to an external user. */
  | { readonly kind: "link"; readonly idpId: string; readonly externalUserId: string }
  /** The subject of an import. */
  | { readonly kind: "subject"; readonly subject: string }
  /** A number in E.164, or the beginning of one. */
  | { readonly kind: "phone"; readonly phone: string; readonly part: "whole" | "start" };

/**
 * The statement restricts the search to the organization outside of these conditions. Subqueries name the organization
 * again, rather than refer to the user: PostgreSQL 15 would run one that refers to the user for each user.
 */
export function toUserFilter(condition: UserCondition, orgId: string): RawBuilder<SqlBool> {
  switch (condition.kind) {
    case "or":
      return combine(condition.conditions, sql` or `, orgId);
    case "and":
      return combine(condition.conditions, sql` and `, orgId);
    case "not":
      return sql`not (${toUserFilter(condition.condition, orgId)})`;
    case "text":
      return matchesText(USER_TEXTS[condition.field], condition.match, condition.text);
    case "state":
      return sql`${USER_STATE} = ${condition.state}::integer`;
    case "type":
      return sql`${USER_TYPE} = ${condition.type}::integer`;
    case "ids":
      return sql`users.id = any(${condition.ids.filter(isId)}::uuid[])`;
    case "id-range":
      return sql`users.id between ${condition.first}::uuid and ${condition.last}::uuid`;
    case "emails":
      return isOneOf(USER_TEXTS.email, condition.emails);
    case "metadata":
      return hasMetadata(condition, orgId);
    case "link":
      return hasLink(condition, orgId);
    case "subject":
      // An array rather than a single value, which would be null, and also exclude everybody from `not`.
      return sql`users.id = any(array(
        select user_id from user_subjects where user_subjects.subject = ${condition.subject}))`;
    case "phone":
      return hasPhone(condition, orgId);
    default:
      return condition satisfies never;
  }
}

/** Equality uses the index user_metadata__value. */
function hasMetadata(
  { key, value, part }: Extract<UserCondition, { kind: "metadata" }>,
  orgId: string,
): RawBuilder<SqlBool> {
  const given = sql`${Buffer.from(value)}::bytea`;
  const parts = {
    whole: sql`sha256(stored.value) = sha256(${given}) and stored.value = ${given}`,
    start: sql`substring(stored.value for length(${given})) = ${given}`,
    end: sql`substring(stored.value from greatest(length(stored.value) - length(${given}) + 1, 1)) = ${given}`,
    any: sql`position(${given} in stored.value) > 0`,
  };
  return sql`users.id in (
    select stored.user_id from user_metadata as stored
    where stored.org_id = ${orgId}::uuid and stored.key = ${key} and ${parts[part]})`;
}

/** Uses the primary key. */
function hasLink(
  { idpId, externalUserId }: Extract<UserCondition, { kind: "link" }>,
  orgId: string,
): RawBuilder<SqlBool> {
  if (!isId(idpId)) return NONE;
  return sql`users.id in (
    select link.user_id from user_idp_links as link
    where link.org_id = ${orgId}::uuid and link.idp_id = ${idpId}::uuid
      and link.external_user_id = ${externalUserId}::text)`;
}

/**
 * Uses the indexes of both tables of numbers. The number of the user is compared too, because `verified_phones` may have an
 * earlier one.
 */
function hasPhone({ phone, part }: Extract<UserCondition, { kind: "phone" }>, orgId: string): RawBuilder<SqlBool> {
  const isWhole = part === "whole";
  // In the collation "C", the colon follows the digits.
  const isStored = isWhole
    ? sql`stored.phone = ${phone}::text`
    : sql`stored.phone >= ${phone}::text and stored.phone < ${`${phone}:`}::text`;
  const own = sql`coalesce(users.phone, '')`;
  const isOwn = isWhole ? sql`${own} = ${phone}::text` : sql`starts_with(${own}, ${phone}::text)`;
  return sql`(${isOwn} and users.id in (
    select stored.user_id from verified_phones as stored where stored.org_id = ${orgId}::uuid and ${isStored}
    union all
    select stored.user_id from unverified_phones as stored where stored.org_id = ${orgId}::uuid and ${isStored}))`;
}

const NONE = sql<SqlBool>`false`;

function combine(
  conditions: readonly UserCondition[],
  operator: RawBuilder<unknown>,
  orgId: string,
): RawBuilder<SqlBool> {
  if (conditions.length === 0) return NONE;
  const filters = conditions.map((condition) => sql`(${toUserFilter(condition, orgId)})`);
  return sql`(${sql.join(filters, operator)})`;
}

function isOneOf({ folded, fold }: SearchedText, texts: readonly string[]): RawBuilder<SqlBool> {
  if (texts.length === 0) return NONE;
  return sql`${folded} collate "C" = any(array[${sql.join(texts.map(fold))}])`;
}
