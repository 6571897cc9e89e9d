import type { Converted, SourceLink, SourceUser } from "../source.ts";
import { uniqueBy } from "../unique-by.ts";
import { isMarkedInactive } from "./activity.ts";
import type { Fields } from "./fields.ts";

/** A user whose values may be undefined or empty. */
export type GivenUser = { readonly [Name in keyof SourceUser]?: SourceUser[Name] | undefined };

/** Like `toUser`, for a record of a system: the user is also inactive if any field of the record says it. */
export function toConverted(fields: Fields, given: GivenUser, lost?: readonly string[]): Converted {
  const isMarked = isMarkedInactive(fields);
  return toUser(fields, isMarked ? { ...given, inactive: true } : given, lost);
}

/**
 * The user that a record describes, without undefined and empty values, or the record's problems.
 *
 * @param lost What has no place in Signet. Each name is given once.
 */
export function toUser(fields: Fields, given: GivenUser, lost: readonly string[] = []): Converted {
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

/** A link to a user of a provider; none without one of the two. */
export function toLinks(provider: string | undefined, externalUserId: string | undefined): SourceLink[] {
  return provider === undefined || externalUserId === undefined ? [] : [{ provider, externalUserId }];
}

/** A record that does not become a user. */
export function skip(sourceId: string | undefined, reason: string): Converted {
  return { kind: "skipped", ...(sourceId === undefined ? {} : { sourceId }), reason };
}
