import type { MessageInitShape } from "@bufbuild/protobuf";
import { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import { type User, UserState } from "../../../gen/signet/v1/user_pb.js";
import type { ListUsersRequestSchema } from "../../../gen/signet/v1/user_read_pb.js";
import { type SearchQuerySchema, TypeQuery_Type, UserFieldName } from "../../../gen/signet/v1/user_search_pb.js";
import type { Api } from "../../api/api.ts";
import { readPage } from "../../parts/page-number.ts";
import { keyOf } from "../../state/tables.ts";

/** What the address of the page says about its list. */
export interface UserSearch {
  readonly text: string;
  readonly state: StateFilter | undefined;
  readonly type: TypeFilter | undefined;
  readonly sort: SortKey;
  readonly isAscending: boolean;
  readonly size: number;
  /** From 1. */
  readonly page: number;
  /** Where the page begins, if it is too far away to count there. */
  readonly after: string;
}

export const STATES = {
  active: UserState.ACTIVE,
  inactive: UserState.INACTIVE,
  locked: UserState.LOCKED,
  initial: UserState.INITIAL,
} as const;
type StateFilter = keyof typeof STATES;

export const TYPES = { human: TypeQuery_Type.HUMAN, machine: TypeQuery_Type.MACHINE } as const;
export type TypeFilter = keyof typeof TYPES;

export const SORTS = {
  created: UserFieldName.CREATION_DATE,
  name: UserFieldName.DISPLAY_NAME,
  userName: UserFieldName.USER_NAME,
  email: UserFieldName.EMAIL,
  state: UserFieldName.STATE,
  lastSignIn: UserFieldName.LAST_SIGN_IN,
} as const;
export type SortKey = keyof typeof SORTS;

export const SIZES = [25, 50, 100, 500];
const DEFAULT_SIZE = 50;
/** The API skips at most as many. */
const MOST_SKIPPED = 10_000;

export function readSearch(parameters: URLSearchParams): UserSearch {
  const size = Number(parameters.get("size"));
  return {
    text: parameters.get("q")?.trim() ?? "",
    state: keyOf(STATES, parameters.get("state")),
    type: keyOf(TYPES, parameters.get("type")),
    sort: keyOf(SORTS, parameters.get("sort")) ?? "created",
    isAscending: parameters.get("dir") === "asc",
    size: SIZES.includes(size) ? size : DEFAULT_SIZE,
    page: readPage(parameters),
    after: parameters.get("after") ?? "",
  };
}

/** The number of users before the page. */
export function skippedBy({ page, size }: Pick<UserSearch, "page" | "size">): number {
  return (page - 1) * size;
}

/** Whether a page can be reached by its number alone. */
export function isCountable(search: Pick<UserSearch, "page" | "size">): boolean {
  return skippedBy(search) <= MOST_SKIPPED;
}

/** Whether the list may lack users of the organization. */
export function isNarrowed({ text, state, type, page }: UserSearch): boolean {
  return text !== "" || state !== undefined || type !== undefined || page > 1;
}

/** The request for the page. Its text has parts of a name or an address, or is the beginning of a phone number. */
export function toRequest(search: UserSearch): MessageInitShape<typeof ListUsersRequestSchema> {
  const { text, sort, isAscending, size, after } = search;
  const start = isCountable(search) ? { offset: BigInt(skippedBy(search)) } : { pageToken: after };
  return {
    query: { ...start, limit: size, asc: isAscending },
    sortingColumn: SORTS[sort],
    queries: [...(text === "" ? [] : [isPhone(text) ? startingWith(text) : containing(text)]), ...filtersOf(search)],
  };
}

/** At most so many users come first for each of these reasons. */
const MOST_FIRST = 10;

/**
 * The requests for users who come first on the first page: whose id in another system is the text, whose id begins with it,
 * whose phone number does without its `+`, or whose name or address contains it if the page lists phone numbers. They are
 * separate, so that each can use its index.
 */
export function toFirstRequests(search: UserSearch): MessageInitShape<typeof ListUsersRequestSchema>[] {
  const { text, page } = search;
  if (text === "" || page > 1) return [];
  const value = new TextEncoder().encode(text);
  const conditions: Condition[] = [];
  if (value.length <= 2_000)
    conditions.push({ query: { case: "metadataQuery", value: { key: "external_id", value } } });
  if (isId(text)) conditions.push({ query: { case: "inUserIdsQuery", value: { userIds: [text] } } });
  const find = (condition: Condition, limit = 1) => ({ query: { limit }, queries: [condition, ...filtersOf(search)] });
  const [, idPrefix] = ID_BEGINNING.exec(text) ?? [];
  const several: Condition[] = [
    ...(idPrefix === undefined ? [] : [{ query: { case: "idPrefixQuery" as const, value: { idPrefix } } }]),
    ...(isPhone(text) ? [containingWord(text)] : []),
    ...(BARE_PHONE.test(text) && text.length <= 50 ? [startingWith(`+${text.replace(/^00/, "")}`)] : []),
  ];
  return [...conditions.map((condition) => find(condition)), ...several.map((each) => find(each, MOST_FIRST))];
}

/** As the audit shows an id: with 8 hexadecimal digits or more, but not all. */
const ID_BEGINNING =
  /^([0-9a-f]{8}(?:-|-[0-9a-f]{1,4}|-[0-9a-f]{4}-[0-9a-f]{0,4}|(?:-[0-9a-f]{4}){2}-[0-9a-f]{0,4}|(?:-[0-9a-f]{4}){3}-[0-9a-f]{0,11})?)…?$/i;

type Condition = MessageInitShape<typeof SearchQuerySchema>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a user. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** A number in global format with three digits or more, and what may separate them. */
const PHONE = /^\+(?:[-.() ]*\d){3,}[-.() ]*$/;

/** The same without the `+`, or with `00` in its place, and with six digits or more. */
const BARE_PHONE = /^[1-9](?:[-.() ]*\d){5,}[-.() ]*$|^00[-.() ]*[1-9](?:[-.() ]*\d){5,}[-.() ]*$/;

function isPhone(text: string): boolean {
  return text.length <= 50 && PHONE.test(text);
}

function startingWith(phone: string): Condition {
  return { query: { case: "phoneQuery", value: { phone, method: TextQueryMethod.STARTS_WITH } } };
}

/** More words would be more conditions than the API accepts. */
const MOST_WORDS = 6;

/** Each word is a part of a name or of the address, so that `johnson kath` finds Katherine Johnson. */
function containing(text: string): Condition {
  const words = text.split(/\s+/, MOST_WORDS);
  if (words.length === 1) return containingWord(text);
  return { query: { case: "andQuery", value: { queries: words.map(containingWord) } } };
}

function containingWord(text: string): Condition {
  const method = TextQueryMethod.CONTAINS_IGNORE_CASE;
  return {
    query: {
      case: "orQuery",
      value: {
        queries: [
          { query: { case: "displayNameQuery", value: { displayName: text.slice(0, 200), method } } },
          { query: { case: "userNameQuery", value: { userName: text.slice(0, 500), method } } },
          { query: { case: "emailQuery", value: { emailAddress: text.slice(0, 254), method } } },
        ],
      },
    },
  };
}

function filtersOf({ state, type }: UserSearch): Condition[] {
  const conditions: Condition[] = [];
  if (state) conditions.push({ query: { case: "stateQuery", value: { state: STATES[state] } } });
  if (type) conditions.push({ query: { case: "typeQuery", value: { type: TYPES[type] } } });
  return conditions;
}

export interface FoundUsers {
  readonly users: readonly User[];
  /** At most 10,000, which means that there may be more. */
  readonly total: number;
  /** Where the next page begins; empty on the last one. */
  readonly nextPage: string;
}

/** Finds the users of a page; on the first one, those of `toFirstRequests` come first. */
export async function findUsers({ management }: Api, search: UserSearch, signal: AbortSignal): Promise<FoundUsers> {
  const [page, ...first] = await Promise.all(
    [toRequest(search), ...toFirstRequests(search)].map((request) => management.listUsers(request, { signal })),
  );
  const listed = page?.result ?? [];
  const known = new Set(listed.map(({ id }) => id));
  const found = first.flatMap(({ result }) => result).filter(({ id }) => !known.has(id));
  const unique = [...new Map(found.map((user) => [user.id, user])).values()];
  return {
    users: [...unique, ...listed],
    total: Number(page?.details?.totalResult ?? 0) + unique.length,
    nextPage: page?.details?.nextPageToken ?? "",
  };
}
