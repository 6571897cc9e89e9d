import { type Expression, type RawBuilder, sql } from "kysely";
import { orgOf } from "../database/command-list.ts";
import type { Param } from "../database/prepare.ts";
import { foldCase } from "../database/text-match.ts";
import { parsePhone } from "../fields/phone.ts";
import { userNameKey } from "../fields/user-name.ts";
import { usersWithPhone } from "./verified-phones.ts";

/*
 * A sign-in finds users by name, by verified address and by verified number, in this order. What one user is found by must
 * therefore not become another user's name, and the reverse. Two users may have the same verified address or number, which
 * then finds neither of them: people share mailboxes.
 */

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

/** The user who gets a name, address or number, who may be new. By default, the one in `users`, of a list of commands. */
interface Getter {
  readonly orgId: Expression<string>;
  readonly userId: Expression<string>;
}

const CHANGED: Getter = { orgId: orgOf("given"), userId: sql.ref("users.id") };

/** The id of a user who does not exist yet, so that all users are others. */
export const NOBODY = sql<string>`'00000000-0000-0000-0000-000000000000'::uuid`;

/**
 * Whether the new name of a user is the verified address or number of another active user of the organization, who signs in
 * with it. The name would come first, so the other user could not do so any more.
 */
export function isFoundByOther<Values extends Pick<NewName, "userNameKey" | "userNamePhone">>(
  given: Param<Values>,
  getter: Partial<Getter> = {},
): RawBuilder<boolean> {
  const { orgId, userId } = { ...CHANGED, ...getter };
  return sql<boolean>`(
    ${isAddressOfOther(given("userNameKey", "text"), { orgId, userId })}
    or exists (select from ${usersWithPhone(sql`${orgId}`, sql`${given("userNamePhone", "text")}`)} as other
      where other.id <> ${userId}))`;
}

/** Whether a key of a name or an address is the verified address of another active user of the organization. */
export function isAddressOfOther(key: Expression<unknown>, getter: Getter = CHANGED): RawBuilder<boolean> {
  return sql<boolean>`(position('@' in ${key}) > 0 and exists ${othersWithAddress(key, getter)})`;
}

/**
 * The other active users of the organization who have verified an address.
 *
 * @returns Rows with the column `id`.
 */
export function othersWithAddress(
  key: Expression<unknown>,
  { orgId, userId }: Getter = CHANGED,
): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`(
    select other.id from users as other
    where other.org_id = ${orgId} and other.id <> ${userId} and other.state = 'active' and other.email_verified
      and ${foldCase(sql`coalesce(other.email, '')`)} collate "C" = ${foldCase(key)})`;
}

/**
 * Whether an address or a number that a user verifies is the name of another user of the organization, who comes first in a
 * sign-in. One who has verified it as well is not meant: the two share it.
 *
 * @param key The key of the address, or the number in E.164.
 */
export function isNameOfOther(
  key: Expression<unknown>,
  kind: "email" | "phone",
  getter: Getter = CHANGED,
): RawBuilder<boolean> {
  return sql<boolean>`exists ${othersWithName(key, kind, getter)}`;
}

/**
 * The other user whom `isNameOfOther` means.
 *
 * @returns Rows with the column `id`.
 */
export function othersWithName(
  key: Expression<unknown>,
  kind: "email" | "phone",
  { orgId, userId }: Getter = CHANGED,
): RawBuilder<{ id: string }> {
  const isShared =
    kind === "email"
      ? sql`named.email_verified and ${foldCase(sql`named.email`)} = ${foldCase(key)}`
      : sql`named.phone_verified and named.phone = ${key}`;
  return sql<{ id: string }>`(
    select named.id from users as named
    where named.org_id = ${orgId} and named.id <> ${userId} and named.kind = 'human' and named.user_name_key = ${key}
      and not coalesce(${isShared}, false))`;
}
