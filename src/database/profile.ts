/**
 * - `name`: visible text, trimmed, at most 200 characters.
 * - `language`: a BCP 47 tag in its canonical form.
 * - `number`: the number of an enum value.
 */
type Rule = "name" | "language" | "number";

interface ProfileField {
  /** The column in `users`; null for machine users, except `display_name`. */
  readonly column: string;
  readonly rule: Rule;
  /** Whether the field may be empty. It is then null in the row and in events. */
  readonly isOptional: boolean;
}

/**
 * The fields of a profile, by their names in the API and in events. Rows, event payloads, checks, statements and
 * responses follow from this table.
 */
export const PROFILE = {
  firstName: { column: "first_name", rule: "name", isOptional: false },
  lastName: { column: "last_name", rule: "name", isOptional: false },
  nickName: { column: "nick_name", rule: "name", isOptional: true },
  displayName: { column: "display_name", rule: "name", isOptional: false },
  preferredLanguage: { column: "preferred_language", rule: "language", isOptional: true },
  gender: { column: "gender", rule: "number", isOptional: false },
} as const satisfies Record<string, ProfileField>;

type Fields = typeof PROFILE;
type Name = keyof Fields;
type Value<Field extends ProfileField> = Field["rule"] extends "number" ? number : string;

/** A profile in requests and responses. Empty text is absent. */
export type ProfileFields = { readonly [N in Name]: Value<Fields[N]> };

/** A profile in events, as it is stored. */
export type ProfilePayload = {
  [N in Name]: Fields[N]["isOptional"] extends true ? Value<Fields[N]> | null : Value<Fields[N]>;
};

/** The columns of a profile. */
export type ProfileRow = { [N in Name as Fields[N]["column"]]: Value<Fields[N]> | null };

export const PROFILE_ENTRIES = Object.entries(PROFILE) as [Name, ProfileField][];

export const PROFILE_FIELDS = Object.keys(PROFILE) as Name[];

/** The fields that are names. */
export type NameField = { [N in Name]: Fields[N]["rule"] extends "name" ? N : never }[Name];
export const NAME_FIELDS = PROFILE_FIELDS.filter((name): name is NameField => PROFILE[name].rule === "name");

/** Creates a value for each field of a profile. */
export function mapProfile<Result>(toValue: (name: Name, field: ProfileField) => unknown): Result {
  const result: Record<string, unknown> = {};
  for (const [name, field] of PROFILE_ENTRIES) result[name] = toValue(name, field);
  return result as Result;
}

/** The type of the values of a field in PostgreSQL. */
export function toSqlType({ rule }: ProfileField) {
  return rule === "number" ? "smallint" : "text";
}

/** The types of the values of a profile. */
export const PROFILE_TYPES = mapProfile<{ readonly [N in Name]: "text" | "smallint" }>((_, field) => toSqlType(field));

/** The profile in a row. */
export function toProfile(row: ProfileRow): ProfileFields {
  return mapProfile((_, { column, rule }) => row[column as keyof ProfileRow] ?? (rule === "number" ? 0 : ""));
}

/** A profile without any values. */
export const NO_PROFILE = mapProfile<ProfileFields>((_, { rule }) => (rule === "number" ? 0 : ""));
