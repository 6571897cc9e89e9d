import { type Expression, type RawBuilder, sql } from "kysely";
import { orgOf } from "../../database/command-list.ts";
import type { Param } from "../../database/prepare.ts";
import { foldCase } from "../../database/text-match.ts";
import { parsePhone } from "../../fields/phone.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { usersWithPhone } from "../verified-phones.ts";

/** A new user name, in the forms in which it is compared. */
export interface NewName {
  readonly userName: string;
  readonly userNameKey: string;
  /** E.164 if the name is a phone number. */
  readonly userNamePhone: string | null;
}

export const NEW_NAME_TYPES = { userName: "text", userNameKey: "text", userNamePhone: "text" } as const;

export function toNewName(userName: string): NewName {
  const phone = parsePhone(userName);
  return { userName, userNameKey: userNameKey(userName), userNamePhone: phone.ok ? phone.e164 : null };
}

/**
 * Whether the new name of a user in `users` is the verified address or number of another active user of the
 * organization, who signs in with it. The name would come first, so the other user could not do so any more.
 *
 * @param orgId The organization, by default that of a list of commands.
 */
export function isFoundByOther<Values extends NewName>(
  given: Param<Values>,
  orgId: Expression<string> = orgOf("given"),
): RawBuilder<boolean> {
  const isOther = sql`other.org_id = ${orgId} and other.id <> users.id and other.state = 'active'`;
  return sql<boolean>`(
    exists (select from users as other
      where ${isOther} and other.email_verified
        and ${foldCase(sql`coalesce(other.email, '')`)} collate "C" = ${foldCase(given("userNameKey", "text"))})
    or exists (select from ${usersWithPhone(sql`${orgId}`, sql`${given("userNamePhone", "text")}`)} as other
      where other.id <> users.id))`;
}
