import { parsePhone } from "../../fields/phone.ts";
import type { UserCondition } from "../../users/read/user-condition.ts";
import { isStorable } from "../protocol/attributes.ts";
import { type Comparison, type Filter, invalidFilter, parseFilter } from "../protocol/parse-filter.ts";
import { METADATA_ATTRIBUTES, USER } from "./user-schemas.ts";

type TextField = Extract<UserCondition, { kind: "text" }>["field"];

/** The texts with an index, by path in lower case. */
export const TEXTS: ReadonlyMap<string, TextField> = new Map(
  Object.entries({
    username: "userName",
    "name.givenname": "firstName",
    "name.familyname": "lastName",
    displayname: "displayName",
    nickname: "nickName",
    emails: "email",
    "emails.value": "email",
  }),
);

const PARTS = { eq: "whole", ne: "whole", sw: "start", ew: "end", co: "any" } as const;

/**
 * The keys of attributes that can be compared with `eq` and `ne`, by path. Those of an extension have one with the name of
 * the schema and one without: Microsoft Entra ID searches for `manager`.
 */
const KEYS: ReadonlyMap<string, string> = new Map(
  METADATA_ATTRIBUTES.filter(
    ({ attribute: { multiValued, name } }) => !multiValued && name !== "preferredLanguage",
  ).flatMap(({ schema, attribute: { name, type }, key }) =>
    [name, ...(schema.isExtension ? [`${schema.id}:${name}`] : [])]
      .flatMap((path) => [path, ...(type === "complex" ? [`${path}.value`] : [])])
      .map((path) => [path.toLowerCase(), key] as const),
  ),
);

const ALLOWED =
  "allowed are eq, ne, sw, ew and co of userName, name.givenName, name.familyName, displayName, nickName and emails.value; " +
  "eq and ne of id, externalId, active, phoneNumbers.value and the attributes stored as metadata; and and, or, not";

/** The number of the `UserState`. */
const INACTIVE: UserCondition = { kind: "state", state: 2 };

/** No user satisfies it. */
const NONE: UserCondition = { kind: "or", conditions: [] };
const ALL: UserCondition = { kind: "not", condition: NONE };

/** The condition of a filter for users. @throws ScimError invalidFilter. */
export function toUserCondition(filter: string): UserCondition {
  return convert(parseFilter(filter));
}

function convert(filter: Filter): UserCondition {
  switch (filter.kind) {
    case "and":
    case "or":
      return { kind: filter.kind, conditions: filter.filters.map(convert) };
    case "not":
      return { kind: "not", condition: convert(filter.filter) };
    case "compare": {
      const condition = toCondition(filter);
      return filter.operator === "ne" ? { kind: "not", condition } : condition;
    }
    default:
      return filter satisfies never;
  }
}

function toCondition({ path: given, operator, value }: Comparison): UserCondition {
  const core = `${USER.toLowerCase()}:`;
  const path = given.startsWith(core) ? given.slice(core.length) : given;
  const isEqual = operator === "eq" || operator === "ne";
  // Addresses and numbers are found whatever type a directory gives them.
  if (/^(?:emails|phonenumbers)\.(?:type|primary)$/.test(path) && isEqual) return operator === "ne" ? NONE : ALL;
  if (path === "active" && isEqual && typeof value === "boolean")
    return value ? { kind: "not", condition: INACTIVE } : INACTIVE;
  if (operator === "pr" && (path === "id" || path === "username")) return ALL;
  if (typeof value !== "string") throw refuse(path, operator);
  // No stored text contains these.
  if (!isStorable(value)) return NONE;
  const field = TEXTS.get(path);
  if (field !== undefined && operator in PARTS) {
    return {
      kind: "text",
      field,
      text: value,
      match: { part: PARTS[operator as keyof typeof PARTS], ignoresCase: true },
    };
  }
  if (!isEqual) throw refuse(path, operator);
  if (path === "id") return { kind: "ids", ids: [value] };
  if (path === "phonenumbers" || path === "phonenumbers.value") {
    const phone = parsePhone(value);
    return phone.ok ? { kind: "phone", phone: phone.e164, part: "whole" } : NONE;
  }
  const key = KEYS.get(path);
  if (key === undefined) throw refuse(path, operator);
  return { kind: "metadata", key, value: Buffer.from(value), part: "whole" };
}

function refuse(path: string, operator: string): Error {
  return invalidFilter(`${path.slice(0, 100)} ${operator}: cannot be searched; ${ALLOWED}`);
}
