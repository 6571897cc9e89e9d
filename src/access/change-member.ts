import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import type { WriteCaller } from "../database/prepare-write.ts";
import { SignetError } from "../errors.ts";
import { eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import type { ObjectRow } from "../events/object-details.ts";
import { retryWhenChanged } from "../events/retry-when-changed.ts";
import { type MemberRow, type MemberValues, prepareMemberChange } from "./prepare-member-change.ts";

export interface ChangeMemberParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** A change of the roles that a user has in a scope: the instance or an organization. */
export interface MemberChange {
  /**
   * - `add`: a user without roles in the scope gets these.
   * - `grant`: the user gets these in addition to existing roles.
   * - `replace`: the roles of the user become these.
   * - `remove`: the user loses all roles.
   */
  readonly action: MemberValues["action"];
  readonly scope: { readonly kind: "instance" | "org"; readonly id: string };
  readonly userId: string;
  /** The organization that the user must belong to; null for any. */
  readonly userOrgId: string | null;
  /** Without duplicates; empty for `remove`. */
  readonly roles: readonly string[];
  /** The user's expected current roles, sorted; if they differ, the outcome is `changed`. */
  readonly expected?: readonly string[];
  readonly editorId: string | null;
  /** The event to write if something changes. */
  readonly events: readonly NewEvent[];
}

/** The membership after the change. Its sequence and times come from events of the scope. */
export interface ChangedMember extends ObjectRow {
  readonly outcome: Exclude<MemberRow["outcome"], "stale">;
}

/**
 * Changes the roles of a user in a scope. Concurrent changes in one scope run one after another.
 *
 * @param response The fields of the result besides `details`, to be stored; see `Idempotency`.
 * @returns The membership. With the outcome `no user` or `no member`, sequence and times are meaningless.
 * @throws SignetError ABORTED, or for a failure of the database.
 */
export async function changeMember(
  { db, clock }: ChangeMemberParts,
  { scope, events, roles, expected, ...change }: MemberChange,
  caller?: WriteCaller,
  response?: object,
): Promise<ChangedMember> {
  const statement = scope.kind === "instance" ? changeInstanceMember : changeOrgMember;
  const values = {
    ...change,
    ownerId: scope.id,
    aggregateId: scope.id,
    roles: [...roles],
    expected: expected === undefined ? null : [...expected],
    events: eventsToJson(events),
    now: clock(),
  };
  return await retryWhenChanged(async () => {
    const [row] = await statement(db, values, caller, response);
    if (row === undefined) throw new SignetError("ORG_NOT_FOUND", "the organization does not exist");
    return row.outcome === "stale" ? undefined : (row as ChangedMember);
  });
}

const changeInstanceMember = prepareMemberChange("instance");
const changeOrgMember = prepareMemberChange("orgs");
