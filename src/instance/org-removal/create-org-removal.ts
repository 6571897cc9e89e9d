import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../database/database.ts";
import type { EraseFiles } from "../../messages/senders/message-file.ts";
import type { AnnounceEnds } from "../../users/change/end-sessions.ts";
import { type BackgroundWork, createBackgroundWork } from "../background-work.ts";
import { type ClaimedOrg, claimOrg, deleteOrg, postponeOrg, recordErased } from "./claim-org.ts";
import { DELETE_APPS } from "./delete-apps.ts";
import { deleteMessages } from "./delete-messages.ts";
import { prepareDeleteRows } from "./delete-rows.ts";
import { ERASE_EVENTS } from "./erase-events.ts";
import { eraseUsers } from "./erase-users.ts";
import { OTHER_OWNED_ROWS, OWNED_ROWS_OF_USERS } from "./owned-rows.ts";
import type { RemovalStep } from "./removal-step.ts";

/** Deletes what belongs to removed organizations, in the background and in small steps. */
export interface OrgRemoval extends BackgroundWork {
  /**
   * Deletes what is due, unless another process does. Rejects with the database error, or if it is stopped.
   *
   * @param onErased Called after each statement, with the number of users that it has erased.
   */
  removeDue(onErased?: OnErased): Promise<void>;
}

interface OrgRemovalParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly eraseFiles: EraseFiles;
  readonly announceEnds?: AnnounceEnds | undefined;
  /** How long a call may take that was authorized before the removal, and may still add something. */
  readonly requestTimeoutMs: number;
}

type OnErased = (users: number) => void;

const POLL_MS = 2_000;
/** Longer than any statement may take. */
const LEASE_MS = 15_000;
/** A pause between two statements this many times as long as the last one took leaves most of the database to calls. */
const PAUSES_PER_STATEMENT = 3;
const LONGEST_PAUSE_MS = 2_000;
/** The statement of a call may wait for a connection, and for a lock. */
const CALL_MARGIN_MS = 30_000;

const DELETE_ROWS_OF_USERS = OWNED_ROWS_OF_USERS.map((rows) => prepareDeleteRows(rows));
const DELETE_OTHER_ROWS = OTHER_OWNED_ROWS.map((rows) => prepareDeleteRows(rows));

export function createOrgRemoval(parts: OrgRemovalParts): OrgRemoval {
  const { db, clock, log, eraseFiles, requestTimeoutMs } = parts;
  const failure = "could not delete the data of a removed organization";
  const work = createBackgroundWork({ run: () => removeDue(), firstPauseMs: POLL_MS, pauseMs: POLL_MS, log, failure });
  const { signal } = work;
  const steps: readonly RemovalStep[] = [
    deleteMessages(eraseFiles),
    ...DELETE_ROWS_OF_USERS,
    DELETE_APPS,
    eraseUsers(parts),
    ...DELETE_OTHER_ROWS,
    ERASE_EVENTS,
  ];

  async function removeDue(onErased: OnErased = () => {}): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const claimed = await claimOrg(db, { now: clock(), until: inLease() });
      if (claimed === undefined) return;
      await removeOrg(claimed, onErased);
    }
  }

  /** Deletes everything once. A pass that begins when no call of before can be running deletes the organization too. */
  async function removeOrg(org: ClaimedOrg, onErased: OnErased): Promise<void> {
    const lastCallAt = new Date(org.removedAt.getTime() + requestTimeoutMs + CALL_MARGIN_MS);
    const isLastPass = clock() >= lastCallAt;
    const left = await runSteps(org, onErased);
    if (left === undefined) return;
    await recordErased(db, org, clock());
    if (isLastPass && (await deleteOrg(db, org))) log.info({ orgId: org.id }, "removed an organization");
    else await postponeOrg(db, left, lastCallAt);
  }

  /** Returns the claim; undefined if another process has it. */
  async function runSteps(org: ClaimedOrg, onErased: OnErased): Promise<ClaimedOrg | undefined> {
    let claimed = org;
    for (const step of steps) {
      let after: string | undefined;
      do {
        signal.throwIfAborted();
        if (claimed.until.getTime() - clock().getTime() < LEASE_MS / 2) {
          const until = inLease();
          if (!(await postponeOrg(db, claimed, until))) return undefined;
          claimed = { ...claimed, until };
        }
        const startedAt = performance.now();
        const { next, users = 0 } = await step.run(db, org, after);
        after = next;
        onErased(users);
        const pauseMs = Math.min(PAUSES_PER_STATEMENT * (performance.now() - startedAt), LONGEST_PAUSE_MS);
        await delay(pauseMs, undefined, { signal });
      } while (after !== undefined);
    }
    return claimed;
  }

  function inLease(): Date {
    return new Date(clock().getTime() + LEASE_MS);
  }

  return { ...work, removeDue };
}
