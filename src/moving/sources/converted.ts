import type { Converted, SourceUser } from "../source.ts";
import type { Fields } from "./fields.ts";

/** A user whose values may be undefined or empty. */
export type GivenUser = { readonly [Name in keyof SourceUser]?: SourceUser[Name] | undefined };

/**
 * The user that a record describes, without undefined and empty values, or the record's problems.
 *
 * @param lost What has no place in Signet. Each name is given once.
 */
export function toConverted(fields: Fields, given: GivenUser, lost: readonly string[] = []): Converted {
  const { problems } = fields;
  const { sourceId } = given;
  if (sourceId === undefined) {
    return {
      kind: "refused",
      problems: problems.length > 0 ? problems : [{ field: "", description: "must have the id of the user" }],
    };
  }
  if (problems.length > 0) return { kind: "refused", sourceId, problems };
  const values = Object.entries({ ...given, lost: [...new Set(lost)] }).filter(([, value]) => !isEmpty(value));
  return { kind: "user", user: { sourceId, ...Object.fromEntries(values) } };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === "") return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** A record that does not become a user. */
export function skip(sourceId: string | undefined, reason: string): Converted {
  return { kind: "skipped", ...(sourceId === undefined ? {} : { sourceId }), reason };
}
