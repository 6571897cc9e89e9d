import { randomUUID } from "node:crypto";
import { existsSync, renameSync } from "node:fs";
import type { User } from "../../gen/signet/v1/user_pb.js";
import { ConfigError } from "../config.ts";
import { format } from "./checking/describe-findings.ts";
import { describeTarget, lockRun } from "./import-users.ts";
import { inOrg } from "./in-org.ts";
import { readOutcomes } from "./report/read-outcomes.ts";
import type { RunFolder } from "./report/run-folder.ts";
import { callPatiently, createPatience, isFailure, type Patience, Stopped } from "./running/call-patiently.ts";
import { createPace } from "./running/pace.ts";
import type { Output } from "./running/show-progress.ts";
import { createSlots } from "./running/slots.ts";
import type { MovingApi, Target } from "./target.ts";

export interface UndoParts {
  readonly target: Target;
  readonly folder: RunFolder;
  /** Whether users who have signed in since the import stay. */
  readonly keepsSignedIn: boolean;
  readonly concurrency: number;
  readonly stopped: AbortSignal;
  readonly out: Output;
  readonly confirm: (question: string) => Promise<void>;
}

export interface UndoSummary {
  readonly run: string;
  /** Users that the run has imported. */
  readonly imported: number;
  /** Of them, those that still exist, and those that have signed in since. */
  readonly existing: number;
  readonly signedIn: number;
  readonly removed: number;
  /** Users who stay because of `keepsSignedIn`. */
  readonly kept: number;
  /** Users who could not be removed. */
  readonly refused: readonly { readonly userId: string; readonly message: string }[];
  readonly isComplete: boolean;
}

/** Users in one search; see `InUserIDQuery`. */
const AT_ONCE = 100;

/** Removes the users that a run has imported. Users who existed before are not changed. */
export async function undoRun(parts: UndoParts): Promise<UndoSummary> {
  const { target, folder, out, keepsSignedIn, concurrency, stopped, confirm } = parts;
  out.write(`target      ${describeTarget(target)}\nrun         ${folder.state.run}, in ${folder.path}\n`);
  const lock = lockRun(folder);
  try {
    const slots = createSlots(concurrency);
    const patience = createPatience(createPace(concurrency), stopped);
    const counts = { imported: 0, existing: 0, signedIn: 0 };
    for await (const { orgId, ids } of readImported(folder)) {
      const users = await findUsers(target.api, patience, orgId, ids);
      counts.imported += ids.length;
      counts.existing += users.length;
      counts.signedIn += users.filter(hasSignedIn).length;
    }
    out.write(`imported    ${format(counts.imported)} users\nexist       ${format(counts.existing)}\n`);
    out.write(`signed in   ${format(counts.signedIn)} since the import${keepsSignedIn ? "; they stay" : ""}\n`);
    const toRemove = counts.existing - (keepsSignedIn ? counts.signedIn : 0);
    if (toRemove > 0) await confirm(`Remove ${format(toRemove)} users, and erase their data?`);
    const result = { removed: 0, kept: 0, refused: [] as { userId: string; message: string }[] };
    for await (const { orgId, ids } of readImported(folder)) {
      if (stopped.aborted) break;
      for (const user of await findUsers(target.api, patience, orgId, ids)) {
        if (stopped.aborted) break;
        if (keepsSignedIn && hasSignedIn(user)) {
          result.kept += 1;
          continue;
        }
        await slots.start(() => remove(user.id, orgId));
      }
      await slots.idle();
    }
    const isComplete = !stopped.aborted;
    if (isComplete && result.refused.length === 0) startAnew(folder);
    return { run: folder.state.run, ...counts, ...result, isComplete };

    async function remove(id: string, orgId: string): Promise<void> {
      try {
        const response = await callPatiently(patience, () => target.api.management.removeUser({ id }, inOrg(orgId)));
        if (!isFailure(response) || response.reason === "USER_NOT_FOUND") result.removed += 1;
        else result.refused.push({ userId: id, message: response.message });
      } catch (error) {
        if (!(error instanceof Stopped)) result.refused.push({ userId: id, message: (error as Error).message });
      }
    }
  } finally {
    lock.release();
  }
}

/** The ids of the users that the run has made, in groups of one organization. */
async function* readImported({ files }: RunFolder): AsyncGenerator<{ orgId: string; ids: string[] }> {
  let group: { orgId: string; ids: string[] } | undefined;
  for await (const outcome of readOutcomes(files.report)) {
    if (outcome.outcome !== "imported") continue;
    if (group !== undefined && (group.orgId !== outcome.orgId || group.ids.length === AT_ONCE)) {
      yield group;
      group = undefined;
    }
    group ??= { orgId: outcome.orgId, ids: [] };
    group.ids.push(outcome.userId);
  }
  if (group !== undefined) yield group;
}

async function findUsers(api: MovingApi, patience: Patience, orgId: string, ids: string[]): Promise<User[]> {
  const queries = [{ query: { case: "inUserIdsQuery" as const, value: { userIds: ids } } }];
  const response = await callPatiently(patience, () =>
    api.management.listUsers({ query: { limit: AT_ONCE }, queries }, inOrg(orgId)),
  );
  if (isFailure(response)) throw new ConfigError(response.message);
  return response.result;
}

function hasSignedIn({ lastSignIn }: User): boolean {
  return lastSignIn !== undefined;
}

/** A later import of the same files imports the users again, with other idempotency keys, and the report of this one stays. */
function startAnew({ files, save }: RunFolder): void {
  const undone = new Date().toISOString().replaceAll(/[:.]/g, "-");
  save({ state: "undone", key: randomUUID(), ranMs: 0, startedAt: undefined });
  for (const file of [files.report, files.sent, files.ids, files.summary]) {
    if (existsSync(file)) renameSync(file, file.replace(/(\.\w+)$/, `-undone-${undone}$1`));
  }
}
