import { type Expression, sql } from "kysely";
import { insertCodes } from "../codes/issue-code.ts";
import { columnsOf, createCommandList, type ListValues, NOTHING, type Numbered } from "../database/command-list.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { CommandKind } from "../database/run-together.ts";
import type { Tables } from "../database/tables.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents } from "../events/append-events.ts";
import type { HumanPayload, IdpLinkPayload } from "../events/catalogue.ts";
import type { ObjectRow } from "../events/object-details.ts";
import {
  LISTED_OUTBOX_COLUMNS,
  type ListedOutboxValues,
  type OutboxValues,
  queueMessages,
} from "../messages/outbox.ts";
import { PROFILE_TYPES, profileColumns } from "./profile-columns.ts";

/** The payload of the event of a human user, and the data that events must not contain. */
export interface InsertHumanUser extends Omit<HumanPayload, "hasPassword">, ListedOutboxValues {
  instanceId: string;
  userNameKey: string;
  emailVerified: boolean;
  phoneVerified: boolean;
  passwordHash: string | null;
  initialized: boolean;
  /** Made by `bytesToText`. */
  otpCode: string | null;
  otpCodeKey: string | null;
  links: readonly IdpLinkPayload[];
}

const COMMANDS = createCommandList<InsertHumanUser>({
  ...LISTED_OUTBOX_COLUMNS,
  instanceId: "uuid",
  userName: "text",
  userNameKey: "text",
  ...PROFILE_TYPES,
  email: "text",
  emailVerified: "boolean",
  phone: "text",
  phoneVerified: "boolean",
  passwordHash: "text",
  initialized: "boolean",
  passwordChangeRequired: "boolean",
  otpCode: "bytea",
  otpCodeKey: "text",
  links: "jsonb",
});

/**
 * The user's details; or no sequence, and the numbers of the links to unknown providers, empty if the name is taken.
 */
export type InsertHumanUserRow = ObjectRow | { readonly sequence: null; readonly unknownLinks: number[] };

/** Columns that keep their defaults until the user signs in. */
type LaterColumn = "otp_last_step" | "passkey_declined_at" | "sessions_ended_sequence";

/**
 * Inserts human users with their links to identity providers, events, codes and messages. Skips users whose name is
 * taken, or who have a link to a provider of another organization.
 */
const insertHumanUsers = prepareWrite<ListValues, InsertHumanUserRow & Numbered>(
  (db, param, isShort) => {
    const given = columnsOf<InsertHumanUser>("given");
    const written = columnsOf<OutboxValues>("changed");
    const user = {
      org_id: given("ownerId", "uuid"),
      id: given("aggregateId", "uuid"),
      kind: sql.lit("human"),
      ...createdColumns(columnsOf<OutboxValues>("given")),
      user_name: given("userName", "text"),
      user_name_key: given("userNameKey", "text"),
      ...profileColumns(given),
      email: given("email", "text"),
      email_verified: given("emailVerified", "boolean"),
      phone: given("phone", "text"),
      phone_verified: given("phoneVerified", "boolean"),
      password_hash: given("passwordHash", "text"),
      password_changed_at: sql`case when ${given("passwordHash", "text")} is not null then ${given("now", "timestamptz")} end`,
      state: sql.lit("active"),
      initialized: given("initialized", "boolean"),
      password_change_required: given("passwordChangeRequired", "boolean"),
      otp_code: given("otpCode", "bytea"),
      otp_code_key: given("otpCodeKey", "text"),
    } satisfies Record<Exclude<keyof Tables["users"], LaterColumn>, Expression<unknown>>;
    const columns = Object.keys(user) as (keyof typeof user)[];

    return db
      .with("given", () => COMMANDS.rows(param("commands", "jsonb")))
      .with("link", (query) =>
        query
          .selectFrom("given")
          .innerJoinLateral(givenLinks(given("links", "jsonb")), (join) => join.onTrue())
          .select(["given.number", "link.position", "link.idp_id", "link.external_user_id", "link.display_name"])
          // A subquery per link, so that the provider is looked up by key regardless of the planner's estimates.
          .select(({ selectFrom }) =>
            selectFrom("idps")
              .select("idps.owner_id")
              .whereRef("idps.id", "=", "link.idp_id")
              .where("idps.owner_id", "in", [given("ownerId", "uuid"), given("instanceId", "uuid")])
              .limit(1)
              .as("owner_id"),
          ),
      )
      .with("unknown", (query) => query.selectFrom("link").select(["number", "position"]).where("owner_id", "is", null))
      .with("created", (query) =>
        query
          .insertInto("users")
          .columns(columns)
          .expression(
            query
              .selectFrom("given")
              .select(columns.map((column) => sql`${user[column]}`.as(column)))
              .$if(!isShort, (rows) =>
                rows.where("given.number", "not in", ({ selectFrom }) =>
                  selectFrom("unknown").select("unknown.number"),
                ),
              )
              // The same order in all imports, so that two imports with the same names or links wait instead of
              // deadlocking.
              .orderBy("given.userNameKey"),
          )
          .onConflict((conflict) => conflict.constraint("users__user_name").doNothing())
          .returning(["id", "sequence", "created_at", "changed_at"]),
      )
      .with("written", (query) =>
        query
          .selectFrom("given")
          .innerJoin("created", (join) => join.on("created.id", "=", given("aggregateId", "uuid")))
          .selectAll("given")
          .select(["created.sequence", "created.created_at", "created.changed_at"]),
      )
      .with("linked", (query) =>
        isShort
          ? NOTHING
          : query
              .insertInto("user_idp_links")
              .columns([
                "org_id",
                "idp_id",
                "external_user_id",
                "idp_owner_id",
                "user_id",
                "display_name",
                "created_at",
              ])
              .expression(
                query
                  .selectFrom("written")
                  .innerJoin("link", "link.number", "written.number")
                  .select([
                    "written.ownerId",
                    "link.idp_id",
                    "link.external_user_id",
                    sql<string>`link.owner_id`.as("owner_id"),
                    "written.aggregateId",
                    "link.display_name",
                    "written.created_at",
                  ])
                  .orderBy("link.idp_id")
                  .orderBy("link.external_user_id"),
              ),
      )
      .with("appended", () => appendEvents(written, "written"))
      .with("coded", () => (isShort ? NOTHING : insertCodes(written, "written")))
      .with("queued", () => (isShort ? NOTHING : queueMessages(written, "written")))
      .selectFrom("given")
      .leftJoin("written", "written.number", "given.number")
      .select(["given.number", "written.sequence", "written.created_at", "written.changed_at"])
      .select(({ selectFrom }) => {
        const unknown = selectFrom("unknown")
          .select("unknown.position")
          .whereRef("unknown.number", "=", "given.number")
          .orderBy("unknown.position");
        return (isShort ? sql<number[]>`'{}'::int[]` : sql<number[]>`array(${unknown})`).as("unknownLinks");
      })
      .$castTo<InsertHumanUserRow & Numbered>();
  },
  { hasShortForm: true, confirmsCallers: true },
);

export const INSERT_HUMAN_USER: CommandKind<InsertHumanUser, InsertHumanUserRow> = {
  name: "import_human_user",
  list: COMMANDS,
  statement: insertHumanUsers,
  toGroup: ({ ownerId }) => ownerId,
  toKeys: ({ userNameKey, links }) => [
    `name ${userNameKey}`,
    ...links.map(({ idpId, externalUserId }) => `link ${idpId.toLowerCase()} ${externalUserId}`),
  ],
  fitsShortForm: ({ links, codes, messages }) => links.length + codes.length + messages.length === 0,
};

/** The links of a user as rows, with their positions from 0. */
function givenLinks(links: Expression<unknown>) {
  type Link = { position: number; idp_id: string; external_user_id: string; display_name: string };
  return sql<Link>`(
    select ordinality::int - 1 as position, "idpId" as idp_id, "externalUserId" as external_user_id,
      "displayName" as display_name
    from rows from (jsonb_to_recordset(${links}) as ("idpId" uuid, "externalUserId" text, "displayName" text))
      with ordinality)`.as("link");
}
