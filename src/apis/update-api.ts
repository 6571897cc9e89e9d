import { sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { differsFrom } from "../database/differs-from.ts";
import type { Param } from "../database/prepare.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import type { ChangeApiParts } from "./add-api.ts";
import { apiNotFound } from "./api-not-found.ts";
import type { ApiSettings } from "./check-api.ts";
import { hasUnknownIntrospector, unknownIntrospector } from "./introspectors.ts";

/**
 * Replaces the settings of an API (docs/api.md). The same settings change nothing.
 *
 * @throws SignetError API_NOT_FOUND, INVALID_ARGUMENT for an unknown application, or for a failure of the database.
 */
export async function updateApi(
  { db, clock }: ChangeApiParts,
  { id, name, scopes, introspectorAppIds }: ApiSettings & { readonly id: string },
  call: Call,
): Promise<Changed> {
  const settings = { name, scopes: [...scopes], introspectorAppIds: [...introspectorAppIds] };
  const values = {
    ...settings,
    ownerId: call.orgId,
    aggregateId: id,
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([{ type: "org.api.changed", payload: settings }]),
  };
  const [row] = isId(id) ? await changeApi(db, values, call) : [];
  if (row === undefined) throw apiNotFound(id);
  if (row.is_refused) throw unknownIntrospector();
  return toChanged(row, call.orgId);
}

interface ChangeValues extends EventValues {
  name: string;
  scopes: string[];
  introspectorAppIds: string[];
}

interface ChangedRow extends ObjectRow {
  readonly is_refused: boolean;
}

function columns(param: Param<ChangeValues>) {
  return {
    name: param("name", "text"),
    scopes: param("scopes", "text[]"),
    introspector_app_ids: param("introspectorAppIds", "uuid[]"),
  };
}

/** Locks the row, and decides by its latest version, like `prepareChange`. */
const changeApi = prepareWrite<ChangeValues, ChangedRow>(
  (db, param, returnRows) =>
    returnRows(
      db
        .with(
          "held",
          () => sql<ObjectRow & { owner_id: string; id: string }>`(
            select * from apis where owner_id = ${param("ownerId", "uuid")} and id = ${param("aggregateId", "uuid")}
            for update)`,
        )
        .with(
          "decided",
          () => sql<ObjectRow & { owner_id: string; id: string; is_refused: boolean; differs: boolean }>`(
            select owner_id, id, sequence, created_at, changed_at, ${hasUnknownIntrospector(param)} as is_refused,
              ${differsFrom("held", columns(param))} as differs
            from held)`,
        )
        .with("changed", (query) =>
          query
            .updateTable("apis")
            .from("decided")
            .set({ ...columns(param), ...changedColumns(param, "apis") } as object)
            .whereRef("apis.owner_id", "=", "decided.owner_id")
            .whereRef("apis.id", "=", "decided.id")
            .where("decided.differs", "=", true)
            .where("decided.is_refused", "=", false)
            .returning(["apis.sequence", "apis.changed_at"]),
        )
        .with("appended", () => appendEvents(param, "changed"))
        .with(
          "result",
          () => sql<ChangedRow>`(
            select decided.is_refused, decided.created_at, coalesce(changed.sequence, decided.sequence) as sequence,
              coalesce(changed.changed_at, decided.changed_at) as changed_at
            from decided left join changed on true)`,
        ),
    ),
  { isDone: sql<boolean>`not result.is_refused` },
);
