import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { RemovedOrg } from "./removal-step.ts";

/** An organization whose removal no other process continues before `until`. */
export interface ClaimedOrg extends RemovedOrg {
  readonly removedAt: Date;
  readonly until: Date;
}

/**
 * Claims an organization whose removal is due. After the end of the process, another one continues when the claim expires.
 *
 * @throws SignetError if the database fails.
 */
export async function claimOrg(db: Database, { now, until }: Claim): Promise<ClaimedOrg | undefined> {
  const [row] = await claim(db, { now, until });
  return row && { id: row.id, editorId: row.editor_id, removedAt: row.removed_at, until };
}

interface Claim {
  readonly now: Date;
  readonly until: Date;
}

const claim = prepareStatement<Claim, { id: string; editor_id: string | null; removed_at: Date }>(
  (_, param) => sql`
    with due as materialized (
      select id from orgs where removal_due_at <= ${param("now", "timestamptz")}
      order by removal_due_at limit 1 for no key update skip locked
    )
    update orgs set removal_due_at = ${param("until", "timestamptz")} from due where orgs.id = due.id
    returning orgs.id, orgs.removed_at, (
      select editor_id from events
      where events.owner_id = due.id and events.aggregate_id = due.id and events.sequence = orgs.sequence) as editor_id`,
);

/** Changes when the removal is due next. Returns false if the claim has expired and another process has it. */
export async function postponeOrg(db: Database, { id, until }: ClaimedOrg, due: Date): Promise<boolean> {
  return (await postpone(db, { id, until, due })).length > 0;
}

const postpone = prepareStatement<{ id: string; until: Date; due: Date }, { id: string }>((db, param) =>
  db
    .updateTable("orgs")
    .set({ removal_due_at: param("due", "timestamptz") })
    .where("id", "=", param("id", "uuid"))
    .where("removal_due_at", "=", param("until", "timestamptz"))
    .returning("id"),
);

const hasNoUsers = sql<boolean>`not exists (select from users where users.org_id = orgs.id)`;

/** Records that everything has been deleted that belonged to the organization at its removal, unless a user is left. */
export async function recordErased(db: Database, { id }: RemovedOrg, now: Date): Promise<void> {
  await setErased(db, { id, now });
}

const setErased = prepareStatement<{ id: string; now: Date }, object>((db, param) =>
  db
    .updateTable("orgs")
    .set({ erased_at: param("now", "timestamptz") })
    .where("id", "=", param("id", "uuid"))
    .where("erased_at", "is", null)
    .where(hasNoUsers)
    .returning("id"),
);

/** Deletes the row of the organization, unless a user was added meanwhile. */
export async function deleteOrg(db: Database, { id }: RemovedOrg): Promise<boolean> {
  return (await deleteRow(db, { id })).length > 0;
}

const deleteRow = prepareStatement<{ id: string }, { id: string }>((db, param) =>
  db
    .deleteFrom("orgs")
    .where("id", "=", param("id", "uuid"))
    .where("removed_at", "is not", null)
    .where(hasNoUsers)
    .returning("id"),
);
