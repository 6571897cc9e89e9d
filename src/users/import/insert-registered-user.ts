import { sql } from "kysely";
import { columnsOf, type Numbered, orgOf } from "../../database/command-list.ts";
import { prepareListWrite } from "../../database/prepare-list.ts";
import type { CommandKind } from "../../database/run-together.ts";
import { appendEvents } from "../../events/append-events.ts";
import type { ObjectRow } from "../../events/object-details.ts";
import type { OutboxValues } from "../../messages/outbox.ts";
import {
  type Collision,
  findCollisions,
  HUMAN_COMMANDS,
  type InsertHumanUser,
  IS_FREE,
  NEW_HUMAN_USER,
  toNameKeys,
  WRITTEN,
} from "./insert-human-users.ts";
import { INSERT_PASSKEYS } from "./store-credentials.ts";

/** The user's details; or no sequence, and which identifier is another user's. */
export type InsertRegisteredUserRow = ObjectRow | { readonly sequence: null; readonly collision: Collision | null };

const given = columnsOf<InsertHumanUser>("given");

/** The id of a user stays in the events after the user is removed, so that a registration counts once. */
const isNew = sql<boolean>`(
  not exists (
    select from events
    where events.owner_id = ${orgOf("given")} and events.aggregate_id = ${given("aggregateId", "uuid")})
  and not exists (
    select from passkeys
    where passkeys.org_id = ${orgOf("given")}
      and passkeys.id in (select passkey.id from jsonb_to_recordset(${given("passkeys", "jsonb")}) as passkey (id text))))`;

/**
 * Inserts users who have registered, with their passkeys and events. There are no codes, messages or links. Skips users who
 * exist already or did, whose name or passkey is taken, or whose name or address finds another user. The address may be the
 * name of another user, who cannot verify it.
 */
const insertRegisteredUsers = prepareListWrite<InsertHumanUser, InsertRegisteredUserRow & Numbered>(
  HUMAN_COMMANDS,
  (db, commands, returnRows) => {
    const written = columnsOf<OutboxValues>("changed");
    return returnRows(
      db
        .with("given", () => commands)
        .with("collided", () => findCollisions("usual", true))
        .with(
          "created",
          () => sql`(
            insert into users (${sql.join(Object.keys(NEW_HUMAN_USER).map((column) => sql.ref(column)))})
            select ${sql.join(Object.values(NEW_HUMAN_USER))} from given where ${isNew} and ${IS_FREE}
            order by given."userNameKey"
            on conflict do nothing
            returning id, sequence, created_at, changed_at)`,
        )
        .with("written", () => WRITTEN)
        .with("registered", () => INSERT_PASSKEYS)
        .with("appended", () => appendEvents(written, "written"))
        .with(
          "result",
          () => sql<InsertRegisteredUserRow & Numbered>`(
            select given.number, written.sequence, written.created_at, written.changed_at,
              (select collided.field from collided where collided.number = given.number) as collision
            from given left join written on written.number = given.number)`,
        ),
    );
  },
);

export const INSERT_REGISTERED_USER: CommandKind<InsertHumanUser, InsertRegisteredUserRow> = {
  name: "register_user",
  list: HUMAN_COMMANDS,
  statement: insertRegisteredUsers,
  toGroup: ({ ownerId }) => ownerId,
  toKeys: ({ userNameKey, userNamePhone, emailKey, aggregateId, passkeys }) => [
    ...toNameKeys([userNameKey, userNamePhone, emailKey]),
    `user ${aggregateId}`,
    ...passkeys.map(({ id }) => `passkey ${id}`),
  ],
};
