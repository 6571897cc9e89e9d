import { toBinary } from "@bufbuild/protobuf";
import { ImportHumanUserRequestSchema } from "../../../gen/signet/v1/management_pb.js";
import { restoreName } from "../converting/free-name.ts";
import { type PrepareParts, prepareRecord } from "../converting/prepare-record.ts";
import { byReport, type RecordPlace } from "../converting/record-place.ts";
import type { Target } from "../moving-api.ts";
import { type Input, readUsers } from "../reading/read-users.ts";
import type { FinishedRecords } from "../report/finished-records.ts";
import type { Outcome, Place } from "../report/outcome.ts";
import type { WorkIndex } from "../work-index.ts";
import { createPatience, Stopped } from "./call-patiently.ts";
import { importRecords, type RecordToImport, type Result } from "./import-records.ts";
import { createSlots } from "./slots.ts";
import type { UpdateParts } from "./update-user.ts";

export interface SendParts extends PrepareParts {
  readonly input: Input;
  readonly target: Target;
  /** Of the check. */
  readonly index: WorkIndex;
  /** Records that have an outcome. */
  readonly finished: FinishedRecords;
  /** The number below which records may have been sent by an earlier process. */
  readonly maybeSent: number;
  readonly key: string;
  /** When the run began to write, by the clock of the target. */
  readonly startedAt: Date;
  /** Present if users of earlier imports are updated. */
  readonly update?: UpdateParts | undefined;
  /** The most calls at once. */
  readonly concurrency: number;
  /** Ends the run early. */
  readonly stopped: AbortSignal;
  /** Called before a record is sent. */
  readonly onSend?: (n: number) => void;
  /** Gets the outcome of each record. */
  readonly onOutcome: (outcome: Outcome) => void;
}

/**
 * Imports all records that have no outcome, in order, several in a call, and several calls at once.
 *
 * @returns Whether all records have an outcome; false if the run was stopped.
 * @throws ConfigError if the target accepts no calls.
 */
export async function sendRecords(parts: SendParts): Promise<boolean> {
  const { input, source, target, finished, maybeSent, key, startedAt, concurrency, stopped } = parts;
  const slots = createSlots(concurrency);
  const failed = new AbortController();
  const signal = AbortSignal.any([stopped, failed.signal]);
  const patience = createPatience(concurrency, signal);
  const call = { api: target.api, patience, key, startedAt, update: parts.update };
  let failure: unknown;
  let batch = createBatch("");
  let n = -1;

  for await (const records of readUsers(input, source)) {
    for (const record of records) {
      n += 1;
      if (signal.aborted) break;
      if (finished.get(n) !== undefined) continue;
      const prepared = await prepareRecord(parts, record, n);
      if (prepared.kind === "merged") continue;
      // The check has refused all others.
      if (prepared.kind !== "ready") throw new Error(`the check did not see ${record.file}:${record.line}`);
      const { sourceId, sourceOrg, request, records: places } = prepared;
      restoreName(parts.index, n, prepared);
      const org = await target.findOrg(sourceOrg);
      if (org === undefined) throw new Error(`the check did not see the organization of ${record.file}:${record.line}`);
      const bytes = toBinary(ImportHumanUserRequestSchema, request).length;
      if (!hasRoom(batch, org.id, bytes)) {
        await start(batch);
        batch = createBatch(org.id);
      }
      parts.onSend?.(n);
      batch.bytes += bytes;
      batch.records.push({
        ...{ n, sourceId, request, maybeSent: n < maybeSent },
        onResult(result) {
          for (const outcome of toOutcomes(places, result)) {
            if (finished.get(outcome.n) === undefined) parts.onOutcome(outcome);
          }
        },
      });
    }
    if (signal.aborted) break;
  }
  await start(batch);
  await slots.idle();
  if (failure !== undefined) throw failure;
  return !stopped.aborted;

  async function start(started: Batch): Promise<void> {
    if (started.records.length > 0 && !signal.aborted) await slots.start(() => send(started));
  }

  async function send({ orgId, records }: Batch): Promise<void> {
    try {
      await importRecords(call, orgId, records);
    } catch (error) {
      if (!(error instanceof Stopped)) failure ??= error;
      failed.abort();
    }
  }
}

/** The outcomes of the records of a user. */
function toOutcomes([own, ...others]: readonly [RecordPlace, ...RecordPlace[]], result: Result): readonly Outcome[] {
  const ofOther: Result | Merged =
    result.outcome === "refused"
      ? result
      : { outcome: "merged", into: own.sourceId, userId: result.userId, orgId: result.orgId };
  const outcomes: Outcome[] = [{ ...own, ...result }, ...others.map((place) => ({ ...place, ...ofOther }))];
  return outcomes.sort(byReport);
}

type Merged = Omit<Extract<Outcome, { outcome: "merged" }>, keyof Place>;

/** Users of one organization for one call. */
interface Batch {
  readonly orgId: string;
  readonly records: RecordToImport[];
  bytes: number;
}

/** With 32 calls at once, fewer users than may wait for a statement of the server (1,024). */
const MAX_USERS = 25;
/** Well below 1 MiB, the default limit of the service and of common proxies. A single user may be larger. */
const MAX_BYTES = 128 * 1024;

function createBatch(orgId: string): Batch {
  return { orgId, records: [], bytes: 0 };
}

function hasRoom(batch: Batch, orgId: string, bytes: number): boolean {
  if (batch.orgId !== orgId || batch.records.length >= MAX_USERS) return false;
  return batch.records.length === 0 || batch.bytes + bytes <= MAX_BYTES;
}
