import { sql } from "kysely";
import { prepareStatement } from "../../database/prepare.ts";
import { ROWS_AT_ONCE } from "./delete-rows.ts";
import type { RemovalStep } from "./removal-step.ts";

/**
 * Deletes the applications of an organization, one after another: first its sessions, grants and tokens, of users of any
 * organization, and with the last of them the application.
 */
export const DELETE_APPS: RemovalStep = {
  async run(db, { id: orgId }) {
    const [row] = await statement(db, { orgId });
    return { next: row?.id };
  },
};

const statement = prepareStatement<{ orgId: string }, { id: string }>(
  (_, param) => sql`
    with app as materialized (
      select owner_id, id from apps where owner_id = ${param("orgId", "uuid")} order by owner_id, id limit 1
    ), chosen as materialized (
      select kind, key from oidc_artifacts where client_id = (select id::text from app)
      limit ${sql.lit(ROWS_AT_ONCE)} for update skip locked
    ), ended as (
      delete from oidc_artifacts using chosen
      where oidc_artifacts.kind = chosen.kind and oidc_artifacts.key = chosen.key
    ), deleted as (
      delete from apps using app
      where apps.owner_id = app.owner_id and apps.id = app.id
        and (select count(*) from chosen) < ${sql.lit(ROWS_AT_ONCE)}
    )
    select id from app`,
);
