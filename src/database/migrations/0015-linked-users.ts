import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What the links to a provider allow. Frozen: change the function with a new migration. */
export const linkedUsers: Migration = {
  async up(db: Kysely<unknown>) {
    // See `linksOf` in src/idps/linked-users.ts. The query of a volatile function has a snapshot of its own, so it also
    // finds the links of statements that the caller has waited for when it locked the provider.
    await sql`
      create function idp_links(of_owner uuid, of_idp uuid, may_change_members boolean, may_change_all_members boolean)
        returns table (has_links boolean, is_protected boolean) language plpgsql volatile rows 1 as $$
      begin
        return query select
          exists (
            select from user_idp_links as link where link.idp_owner_id = of_owner and link.idp_id = of_idp),
          not (may_change_members and may_change_all_members) and exists (
            select from members
              join user_idp_links as link on link.org_id = members.user_org_id and link.user_id = members.user_id
            where link.idp_owner_id = of_owner and link.idp_id = of_idp
              and not case when members.scope_id = link.org_id then may_change_members else may_change_all_members end);
      end $$`.execute(db);
  },
};
