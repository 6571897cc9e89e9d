import type { Violation } from "../../errors.ts";
import type { FieldChange } from "../running/stored-values.ts";

/** Where a record is, and whose it is. */
export interface Place {
  /** The number of the record in the input, from 0. */
  readonly n: number;
  readonly file: string;
  readonly line: number;
  /** Undefined if the record cannot be read. */
  readonly sourceId?: string | undefined;
}

/** What became of a record: a line of `report.ndjson`. */
export type Outcome = Place &
  (
    | {
        readonly outcome: "imported";
        readonly userId: string;
        readonly orgId: string;
        /** Present if it was requested: the link with which the user sets a password. */
        readonly link?: string | undefined;
        /** Values that were changed, or that have no effect; absent without any. */
        readonly warnings?: readonly { readonly field: string; readonly reason: string }[] | undefined;
      }
    /** The user existed, and has the values of the export as far as the API shows them. */
    | { readonly outcome: "same"; readonly userId: string; readonly orgId: string }
    | {
        readonly outcome: "differs";
        readonly userId: string;
        readonly orgId: string;
        readonly fields: readonly string[];
      }
    /** The user existed, and was changed to what the export says. */
    | {
        readonly outcome: "updated";
        readonly userId: string;
        readonly orgId: string;
        readonly changes: readonly FieldChange[];
        /** Fields that somebody else has changed since the import. */
        readonly kept?: readonly string[] | undefined;
        /** Other fields that differ. */
        readonly fields?: readonly string[] | undefined;
      }
    /** A part of the user of another record, `into`. The user has an id once it is imported. */
    | { readonly outcome: "merged"; readonly into: string; readonly userId?: string; readonly orgId?: string }
    | { readonly outcome: "refused"; readonly reason?: string | undefined; readonly problems: readonly Violation[] }
    | { readonly outcome: "skipped"; readonly reason: string }
  );

export const OUTCOMES = ["imported", "same", "updated", "differs", "merged", "refused", "skipped"] as const;

/** The number of records with each outcome. */
export type Counts = Record<(typeof OUTCOMES)[number], number>;

/** Adds an outcome to counts of users with each reason of a warning. */
export function countWarnings(counts: Record<string, number>, outcome: Outcome): void {
  if (outcome.outcome !== "imported") return;
  const reasons = new Set(outcome.warnings?.map(({ reason }) => reason));
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
}

export function noCounts(): Counts {
  return { imported: 0, same: 0, updated: 0, differs: 0, merged: 0, refused: 0, skipped: 0 };
}
