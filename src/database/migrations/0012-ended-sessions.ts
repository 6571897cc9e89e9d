import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The end of a user's sessions. Frozen: change the tables and the function with a new migration. */
export const endedSessions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("users")
      .addColumn("sessions_ended_sequence", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();

    // See `endSessions` in src/users/end-sessions.ts. Each DELETE has a snapshot of its own, so it also finds what was
    // stored by the statements that the one before it has waited for. A sign-in that is completed deletes its row, so that
    // the first DELETE may find nothing although it has waited.
    await sql`
      create function end_sessions(of_user uuid, kept_session text, kept_sign_in bytea)
        returns table (kind text, user_id uuid, payload jsonb) language plpgsql rows 10 as $$
      declare
        is_repeated boolean := false;
      begin
        loop
          return query delete from oidc_artifacts as artifact
            where artifact.user_id = of_user
              and (artifact.kind <> 'Interaction' or artifact.key is distinct from kept_sign_in)
              and (kept_session is null
                or artifact.kind <> 'Grant' and artifact.session_uid is distinct from kept_session)
            returning artifact.kind, artifact.user_id, artifact.payload;
          exit when is_repeated and not found;
          is_repeated := true;
        end loop;
      end $$`.execute(db);
  },
};
