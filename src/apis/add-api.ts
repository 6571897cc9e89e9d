import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { createId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import type { NewApi } from "./check-api.ts";
import { hasUnknownIntrospector, unknownIntrospector } from "./introspectors.ts";

/** The dependencies of a change of an API. */
export interface ChangeApiParts {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Adds an API to the organization (docs/api.md).
 *
 * @throws SignetError API_IDENTIFIER_TAKEN, INVALID_ARGUMENT for an unknown application, or for a failure of the
 *   database.
 */
export async function addApi(
  { db, clock }: ChangeApiParts,
  { name, identifier, scopes, introspectorAppIds }: NewApi,
  call: Call,
): Promise<Changed & { readonly id: string }> {
  const id = createId();
  const settings = { name, identifier, scopes: [...scopes], introspectorAppIds: [...introspectorAppIds] };
  const values = {
    ...settings,
    ownerId: call.orgId,
    aggregateId: id,
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([{ type: "org.api.added", payload: settings }]),
  };
  const [row] = await insertApi(db, values, call, { id });
  if (row === undefined) throw unknownIntrospector();
  return { id, ...toChanged(row, call.orgId) };
}

interface InsertValues extends EventValues {
  name: string;
  identifier: string;
  scopes: string[];
  introspectorAppIds: string[];
}

/** Inserts nothing if an application is unknown. */
const insertApi = prepareWrite<InsertValues, ObjectRow>((db, param, returnRows) => {
  const { sequence, created_at, changed_at } = createdColumns(param);
  return returnRows(
    db
      .with(
        "created",
        () => sql<ObjectRow>`(
          insert into apis (owner_id, id, name, identifier, scopes, introspector_app_ids, sequence, created_at, changed_at)
          select ${param("ownerId", "uuid")}, ${param("aggregateId", "uuid")}, ${param("name", "text")},
            ${param("identifier", "text")}, ${param("scopes", "text[]")}, ${param("introspectorAppIds", "uuid[]")},
            ${sequence}, ${created_at}, ${changed_at}
          where not ${hasUnknownIntrospector(param)}
          returning sequence, created_at, changed_at)`,
      )
      .with("appended", () => appendEvents(param, "created"))
      .with("result", (query) => query.selectFrom("created").selectAll()),
  );
});
