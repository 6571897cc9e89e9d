import type { Place } from "../report/outcome.ts";
import type { SourceUser } from "../source.ts";

/** Where a record of a user is. */
export interface RecordPlace extends Place {
  readonly sourceId: string;
}

/**
 * The order in which the records of a user are reported: the first one is the last, so that a process that is killed before it is
 * written leaves a user whose other records are reported, too, once it continues.
 */
export function byReport(one: Place, other: Place): number {
  return other.n - one.n;
}

export interface MergedRecord extends RecordPlace {
  readonly user: SourceUser;
}

/** Records of one person, which become one user when the first of them is read. */
export interface Merges {
  /** The later records of the person whose first record has this number. */
  findLater(n: number): readonly MergedRecord[];
  /** Whether the record becomes part of the user of an earlier one. */
  isLater(n: number): boolean;
}
