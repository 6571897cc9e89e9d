import type { EventRow } from "./list-events.ts";

/** Users and organizations that were removed, by their ids. */
export interface Removed {
  readonly users: Set<string>;
  readonly orgs: Set<string>;
}

/** Notes what an event removes. Returns whether `eraseEvent` may change this event or earlier ones. */
export function noteRemoval({ users, orgs }: Removed, event: EventRow): boolean {
  if (event.type === "user.removed") users.add(event.aggregate_id);
  if (event.type === "org.removed") orgs.add(event.owner_id);
  return event.type === "user.removed" || orgs.has(event.owner_id);
}

/**
 * Returns an event as a list returns it once the removals are complete (`remove-user.ts`, `src/instance/org-removal`):
 * that of a removed user or organization without payload, and one that a removed user caused without the user's name.
 * Returns the same event if nothing changes.
 */
export function eraseEvent(event: EventRow, { users, orgs }: Removed): EventRow {
  const { type, owner_id, aggregate_id, editor_id, editor_name, payload } = event;
  const isOfUser = users.has(aggregate_id) && type !== "user.removed";
  const isOfOrg = orgs.has(owner_id) && payload !== null && Object.keys(payload).length > 0;
  const losesPayload = payload !== null && (isOfUser || isOfOrg);
  const losesName = editor_name !== null && editor_id !== null && users.has(editor_id);
  if (!losesPayload && !losesName) return event;
  return { ...event, payload: losesPayload ? null : payload, editor_name: losesName ? null : editor_name };
}
