import type { Converted, Source, SourceLink, SourceOptions, SourceUser } from "../source.ts";
import { uniqueBy } from "../unique-by.ts";
import { isMarkedInactive } from "./activity.ts";
import { type Fields, readFields } from "./fields.ts";

/** A user whose values may be undefined or empty. */
export type GivenUser = { readonly [Name in keyof SourceUser]?: SourceUser[Name] | undefined };

type Values = Readonly<Record<string, unknown>>;
type SecondFile = NonNullable<Source["secondFile"]>;

/** A system, by the fields of its records. */
interface System extends Omit<Source, "convert" | "secondFile"> {
  /** Changes the names or values of a record before its fields are read. */
  readonly prepare?: (record: Values) => Values;
  /** Whether `read` alone decides whether the user is inactive. By default, any field of the record can say so. */
  readonly hasOwnActivity?: boolean;
  readonly secondFile?: (fields: Fields, record: Values) => ReturnType<SecondFile>;
  /** @param lost Gets what has no place in Signet. */
  read(fields: Fields, lost: string[], options: SourceOptions): GivenUser | Skipped;
}

type Skipped = Extract<Converted, { kind: "skipped" }>;

export function createSource(given: System): Source {
  const { prepare = (record) => record, secondFile, hasOwnActivity, read, ...system } = given;
  return {
    ...system,
    ...(secondFile && { secondFile: (record) => secondFile(readFields(prepare(record)), record) }),
    convert(record, options) {
      const fields = readFields(prepare(record));
      const lost: string[] = [];
      const user = read(fields, lost, options);
      if ("kind" in user) return user;
      const isMarked = !hasOwnActivity && isMarkedInactive(fields);
      return toUser(fields, isMarked ? { ...user, inactive: true } : user, lost);
    },
  };
}

/**
 * The user that a record describes, without undefined and empty values, or the record's problems.
 *
 * @param lost What has no place in Signet. Each name is given once.
 */
function toUser(fields: Fields, given: GivenUser, lost: readonly string[]): Converted {
  // A field that is read twice has its problem twice.
  const problems = uniqueBy(fields.problems, ({ field }) => field);
  const { sourceId } = given;
  const allLost = lost.length === 0 ? {} : { lost: [...new Set(lost)] };
  if (sourceId === undefined) {
    return {
      kind: "refused",
      problems: problems.length > 0 ? problems : [{ field: "", description: "must have the id of the user" }],
      ...allLost,
    };
  }
  if (problems.length > 0) return { kind: "refused", sourceId, problems, ...allLost };
  const values = Object.entries({ ...given, ...allLost }).filter(([, value]) => !isEmpty(value));
  return { kind: "user", user: { sourceId, ...Object.fromEntries(values) } };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === "") return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** A link to a user at a provider; none if either value is missing. */
export function toLinks(
  provider: string | undefined,
  externalUserId: string | undefined,
  displayName?: string,
): SourceLink[] {
  return provider === undefined || externalUserId === undefined ? [] : [{ provider, externalUserId, displayName }];
}

/** A record that does not become a user. */
export function skip(sourceId: string | undefined, reason: string): Skipped {
  return { kind: "skipped", ...(sourceId === undefined ? {} : { sourceId }), reason };
}
