import type { Database } from "../../database/database.ts";

/** An organization whose data is being deleted. */
export interface RemovedOrg {
  readonly id: string;
  /** The user who removed the organization; null for the operator. */
  readonly editorId: string | null;
}

/** What one statement has deleted or erased. */
interface StepResult {
  /** The number of erased users, if it erases users. */
  readonly users?: number;
  /** Where the next statement continues; undefined at the end. */
  readonly next: string | undefined;
}

/**
 * A part of the removal of an organization. It is repeated from `next` until the end: each statement handles a few
 * hundred rows, so that it holds its locks for milliseconds. Rows that are added meanwhile are found by the next pass.
 */
export interface RemovalStep {
  /**
   * @param after Where to begin; undefined at the start.
   * @throws SignetError if the database fails.
   */
  run(db: Database, org: RemovedOrg, after: string | undefined): Promise<StepResult>;
}
