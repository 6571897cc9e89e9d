import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";

/** A request of a directory, or an operation of a bulk request. */
export interface LoggedRequest {
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly outcome: string;
  readonly detail: string;
  readonly userId: string | null;
  readonly sender: string;
}

/** Keeps the latest requests of each SCIM connection. */
export interface ScimRequestLog {
  add(connection: { readonly id: string; readonly orgId: string }, requests: readonly LoggedRequest[]): void;
  /**
   * Stores the requests since the last call, and waits for what that call is still storing, so that all of them can then be
   * read. They are kept if the database fails.
   */
  store(db: Database): Promise<void>;
}

/** Requests of a connection that are kept. */
const MOST_KEPT = 1_000;

/** Requests that wait in a process: at most 20 MB. */
const MOST_WAITING = 20_000;

interface Waiting {
  readonly orgId: string;
  readonly requests: LoggedRequest[];
}

/** Requests that are not stored when the process is killed are lost. No request of a directory waits for a statement. */
export function createScimRequestLog(): ScimRequestLog {
  const waiting = new Map<string, Waiting>();

  function add({ id, orgId }: { readonly id: string; readonly orgId: string }, requests: readonly LoggedRequest[]) {
    const held = waiting.get(id) ?? { orgId, requests: [] };
    waiting.set(id, held);
    held.requests.push(...requests);
    held.requests.splice(0, held.requests.length - MOST_KEPT);
    const count = [...waiting.values()].reduce((sum, each) => sum + each.requests.length, 0);
    if (count > MOST_WAITING) waiting.delete(id);
  }

  async function storeWaiting(db: Database): Promise<void> {
    const batches = [...waiting];
    waiting.clear();
    for (const [index, [id, { orgId, requests }]] of batches.entries()) {
      try {
        await storeRequests(db, { orgId, id, requests: JSON.stringify(requests) });
      } catch (error) {
        for (const [unstored, batch] of batches.slice(index)) {
          const later = waiting.get(unstored)?.requests ?? [];
          waiting.delete(unstored);
          add({ id: unstored, orgId: batch.orgId }, [...batch.requests, ...later]);
        }
        throw error;
      }
    }
  }

  let last: Promise<void> = Promise.resolve();
  return {
    add,
    store(db) {
      last = last.catch(() => {}).then(() => storeWaiting(db));
      return last;
    },
  };
}

/** Each request takes the place of the one that was the 1,000th before it, so that nothing has to be deleted. */
const storeRequests = prepareStatement<{ orgId: string; id: string; requests: string }, never>((db, param) => {
  const [orgId, id, requests] = [param("orgId", "uuid"), param("id", "uuid"), param("requests", "jsonb")];
  const query = sql<never>`
    with counted as (
      update scim_connections set request_count = request_count + jsonb_array_length(${requests})
      where owner_id = ${orgId} and id = ${id}
      returning request_count - jsonb_array_length(${requests}) as earlier)
    insert into scim_requests (owner_id, connection_id, slot, position, created_at, method, path, status, outcome, detail,
      user_id, sender)
    select ${orgId}, ${id}, (counted.earlier + given.number) % ${sql.lit(MOST_KEPT)}, counted.earlier + given.number,
      (given.value ->> 'at')::timestamptz, given.value ->> 'method', given.value ->> 'path',
      (given.value ->> 'status')::smallint, given.value ->> 'outcome', given.value ->> 'detail',
      (given.value ->> 'userId')::uuid, given.value ->> 'sender'
    from counted cross join jsonb_array_elements(${requests}) with ordinality as given (value, number)
    on conflict (owner_id, connection_id, slot) do update set
      position = excluded.position, created_at = excluded.created_at, method = excluded.method, path = excluded.path,
      status = excluded.status, outcome = excluded.outcome, detail = excluded.detail, user_id = excluded.user_id,
      sender = excluded.sender`;
  return { compile: () => query.compile(db) };
});
