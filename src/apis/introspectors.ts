import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import { invalidArgument, type SignetError } from "../errors.ts";
import { INTROSPECTOR_RULE } from "./check-api.ts";

/** Whether one of the given applications is not of the owner. */
export function hasUnknownIntrospector<Values extends { ownerId: string; introspectorAppIds: string[] }>(
  param: Param<Values>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from unnest(${param("introspectorAppIds", "uuid[]")}) as asked (id)
    where not exists (select from apps where apps.owner_id = ${param("ownerId", "uuid")} and apps.id = asked.id))`;
}

export function unknownIntrospector(): SignetError {
  return invalidArgument({ field: "introspectorAppIds", description: INTROSPECTOR_RULE });
}
