import { renameSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { ImportHumanUserRequestSchema } from "../../../gen/signet/v1/management_pb.js";
import { type Candidate, findTaken } from "../checking/find-taken.ts";
import type { MovingApi } from "../moving-api.ts";
import { openLineFile } from "../report/append-lines.ts";
import { readOutcomes } from "../report/read-outcomes.ts";
import type { RunFiles } from "../report/run-folder.ts";
import { createPatience } from "./call-patiently.ts";

interface Removed extends Candidate {
  readonly n: number;
}

/** Users who are looked up together. */
const GROUP = 400;

/**
 * Finds the users that a complete run has imported, and that were removed since.
 *
 * @returns The numbers of their records.
 */
export async function findRemovedSince(
  { report }: RunFiles,
  api: MovingApi,
  concurrency: number,
  stopped: AbortSignal,
): Promise<ReadonlySet<number>> {
  const patience = createPatience(concurrency, stopped);
  const removed = new Set<number>();
  let group: Removed[] = [];
  for await (const { n, sourceId, ...outcome } of readOutcomes(report)) {
    const id = outcome.outcome === "merged" ? outcome.into : sourceId;
    if ((outcome.outcome !== "imported" && outcome.outcome !== "merged") || id === undefined) continue;
    group.push({ n, sourceId: id, orgId: outcome.orgId ?? "", request: create(ImportHumanUserRequestSchema) });
    if (group.length >= GROUP) await lookUp();
  }
  await lookUp();
  return removed;

  async function lookUp(): Promise<void> {
    const found = await findTaken(api, patience, group);
    for (const each of group) if (found.get(each)?.kind !== "exists") removed.add(each.n);
    group = [];
  }
}

/** Removes the outcomes of records from the report, so that the run imports them again. */
export async function forgetOutcomes({ report }: RunFiles, records: ReadonlySet<number>): Promise<void> {
  const kept = openLineFile(`${report}.new`, { isNew: true });
  for await (const outcome of readOutcomes(report)) if (!records.has(outcome.n)) kept.append(outcome);
  kept.close();
  renameSync(`${report}.new`, report);
}
