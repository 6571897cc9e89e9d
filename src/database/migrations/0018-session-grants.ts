import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Grants that belong to a session. Frozen: change the function with a new migration. */
export const sessionGrants: Migration = {
  async up(db: Kysely<unknown>) {
    // As in 0012, but with a session that continues, the grants of the others end too. A grant of an earlier version
    // belongs to no session, and is kept then.
    await sql`
      create or replace function end_sessions(of_user uuid, kept_session text, kept_sign_in bytea)
        returns table (kind text, user_id uuid, payload jsonb) language plpgsql rows 10 as $$
      declare
        is_repeated boolean := false;
      begin
        loop
          return query delete from oidc_artifacts as artifact
            where artifact.user_id = of_user
              and (artifact.kind <> 'Interaction' or artifact.key is distinct from kept_sign_in)
              and (kept_session is null
                or (artifact.kind <> 'Grant' or artifact.session_uid is not null)
                  and artifact.session_uid is distinct from kept_session)
            returning artifact.kind, artifact.user_id, artifact.payload;
          exit when is_repeated and not found;
          is_repeated := true;
        end loop;
      end $$`.execute(db);
  },
};
