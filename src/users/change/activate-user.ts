import { type Expression, type RawBuilder, sql } from "kysely";
import { orgOf } from "../../database/command-list.ts";
import type { Param } from "../../database/prepare.ts";
import { foldCase } from "../../database/text-match.ts";
import { type Reason, SignetError } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import { isFoundByOther, isNameOfOther, type NewName, othersWithAddress } from "../found-by-other.ts";
import { usersWithPhone } from "../verified-phones.ts";
import { prepareUserOperation } from "./prepare-user-operation.ts";

/**
 * Prepares the operation that makes a user in a state active again, unless another user of the organization could then no
 * longer sign in with an address or a number, or this user with theirs: while a user is not active, others can get what the
 * user is found by. It throws a SignetError USER_NOT_FOUND, USER_STATE, USER_NAME_TAKEN, EMAIL_TAKEN, PHONE_TAKEN,
 * PERMISSION_DENIED, or for a failure of the database.
 */
export function prepareActivation(
  name: string,
  { from, type }: { readonly from: "inactive" | "locked"; readonly type: "user.reactivated" | "user.unlocked" },
) {
  const activate = prepareUserOperation<{ readonly id: string }>({
    name,
    toEvents: () => [{ type, payload: {} }],
    refuse: sql`case
      when users.state <> ${sql.lit(from)} then 'USER_STATE'
      when not coalesce(${isOwnName("email")} or ${isOwnName("phone")}, false) and ${isFoundByOther(STORED_NAME)}
        then 'USER_NAME_TAKEN'
      when users.email_verified and not ${isOwnName("email")}
        and (${isNameOfOther(ADDRESS, "email")} or ${isVerifiedMeanwhile("email", othersWithAddress(ADDRESS))})
        then 'EMAIL_TAKEN'
      when users.phone_verified and not ${isOwnName("phone")}
        and (${isNameOfOther(NUMBER, "phone")} or ${isVerifiedMeanwhile("phone", usersWithPhone(orgOf("given"), NUMBER))})
        then 'PHONE_TAKEN' end`,
    set: () => ({ state: sql.lit("active") }),
  });
  return async (...given: Parameters<typeof activate>): Promise<Changed> => {
    try {
      return await activate(...given);
    } catch (error) {
      const text = error instanceof SignetError ? MESSAGES[error.reason] : undefined;
      throw error instanceof SignetError && text ? new SignetError(error.reason, text, TAKEN_BY_ID) : error;
    }
  };
}

const TAKEN_BY_ID = { metadata: { field: "id" } };

const MESSAGES: Partial<Record<Reason, string>> = {
  USER_NAME_TAKEN: "id: the user name is the verified address or number of another user; rename the user first",
  EMAIL_TAKEN:
    "id: the verified address is the name of another user, or has been verified by another one meanwhile; change it first",
  PHONE_TAKEN:
    "id: the verified number is the name of another user, or has been verified by another one meanwhile; change it first",
};

const ADDRESS = foldCase(sql`users.email`);
const NUMBER = sql.ref("users.phone");

/** The stored name as a number, if it looks like one in the global format. */
const NAME_AS_NUMBER = sql`case when users.user_name_key ~ '^[+][-0-9 ().]+$'
  then regexp_replace(users.user_name_key, '[^+0-9]', '', 'g') end`;

const STORED_NAME = ((name: "userNameKey" | "userNamePhone") =>
  name === "userNameKey" ? sql.ref("users.user_name_key") : NAME_AS_NUMBER) as Param<NewName>;

/** Whether the user's own verified address or number is the user name, so that others who share it are not found by it. */
function isOwnName(kind: "email" | "phone"): RawBuilder<boolean> {
  return kind === "email"
    ? sql`(users.email_verified and users.user_name_key = ${ADDRESS})`
    : sql`(users.phone_verified and ${NAME_AS_NUMBER} is not distinct from ${NUMBER})`;
}

/**
 * Whether exactly one of these users is another one, who has verified the address or number since the user is not active.
 * That of several users finds none of them already.
 */
function isVerifiedMeanwhile(kind: "email" | "phone", holders: Expression<{ id: string }>): RawBuilder<boolean> {
  return sql<boolean>`(
    select count(*) = 1 and bool_or(exists (
      select from events as verified
      where verified.owner_id = ${orgOf("given")} and verified.aggregate_id = holder.id
        and verified.type = ${sql.lit(`user.human.${kind}.verified`)}
        and verified.position > (
          select max(stopped.position) from events as stopped
          where stopped.owner_id = ${orgOf("given")} and stopped.aggregate_id = users.id
            and stopped.type in ('user.deactivated', 'user.locked'))))
    from (select other.id from ${holders} as other where other.id <> users.id limit 2) as holder)`;
}
