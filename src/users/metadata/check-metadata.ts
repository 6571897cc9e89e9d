import type { Problems } from "../../errors.ts";
import { describeInvisibleProblem } from "../../fields/name.ts";

/** A value that an application stores with a user. */
export interface MetadataItem {
  readonly key: string;
  /** 1 to 2,000 bytes. */
  readonly value: Uint8Array;
}

/**
 * Checks the rules of metadata that the schema cannot express. Keys are stored as given, and compared by code points.
 *
 * @param pathOf The JSON path of an item's key.
 */
export function checkKeys(keys: readonly string[], pathOf: (position: number) => string, problems: Problems): void {
  const seen = new Set<string>();
  for (const [position, key] of keys.entries()) {
    const problem = key !== key.trim() ? "must not begin or end with white space" : describeInvisible(key);
    if (problem !== undefined) problems.add(pathOf(position), problem);
    else if (seen.has(key)) problems.add(pathOf(position), "must not be the same as an earlier one");
    seen.add(key);
  }
}

function describeInvisible(key: string): string | undefined {
  return key === "" ? undefined : describeInvisibleProblem(key, { sequences: false });
}
