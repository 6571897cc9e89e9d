import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { foldCase } from "../database/text-match.ts";
import { usersWithPhone } from "../users/verified-phones.ts";
import { SELECTED, type SignInUser } from "./find-sign-in-user.ts";
import type { Identifier } from "./identifier.ts";

interface IdentifierValues extends Identifier {
  readonly orgId: string;
}

/**
 * Finds the human user of an organization by user name, else by verified email address, else by verified phone number.
 * An address or a number of several active users finds none of them, because nothing says which one is meant.
 */
export async function findIdentifiedUser(
  { db }: { readonly db: Database },
  { orgId, nameKey, emailKey, phone }: IdentifierValues,
  caller: QueryCaller,
): Promise<SignInUser | undefined> {
  const [user] = await selectIdentified(db, { orgId, nameKey, emailKey, phone }, caller);
  return user;
}

/**
 * How many users with an address are read, oldest first. The index of addresses also contains unverified ones, of which
 * there can be any number.
 */
const MAX_OF_ADDRESS = 100;

/** At most two users of each kind are needed to know whether one is meant. */
const selectIdentified = prepareStatement<IdentifierValues, SignInUser>((db, param) => {
  const orgId = param("orgId", "uuid");
  return db
    .with(
      "found",
      () => sql<{ id: string; rank: number }>`(
        select id, 1 as rank from users
        where org_id = ${orgId} and kind = 'human' and user_name_key = ${param("nameKey", "text")}
        union all
        (select id, 2 from (
            select id, email_verified, state from users
            where org_id = ${orgId}
              and ${foldCase(sql`coalesce(email, '')`)} collate "C" = ${foldCase(param("emailKey", "text"))}
            order by id limit ${sql.lit(MAX_OF_ADDRESS)}) as of_address
          where email_verified and state = 'active' limit 2)
        union all
        (select id, 3 from ${usersWithPhone(sql`${orgId}`, sql`${param("phone", "text")}`)} as of_phone limit 2))`,
    )
    .selectFrom("users")
    .select(SELECTED)
    .where("org_id", "=", orgId)
    .where(
      "id",
      "=",
      sql<string>`(
        select (array_agg(id))[1] from found where rank = (select min(rank) from found) having count(*) = 1)`,
    )
    .$castTo<SignInUser>();
});
