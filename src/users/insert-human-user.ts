import { type Expression, sql } from "kysely";
import { insertCodes } from "../codes/issue-code.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents } from "../events/append-events.ts";
import type { HumanPayload } from "../events/catalogue.ts";
import type { ObjectRow } from "../events/object-details.ts";
import { type OutboxValues, queueMessages } from "../messages/outbox.ts";

/** A human user as the event records it, and what an event must not hold. */
interface InsertHumanUserValues extends Omit<HumanPayload, "hasPassword">, OutboxValues {
  instanceId: string;
  userNameKey: string;
  emailVerified: boolean;
  phoneVerified: boolean;
  passwordHash: string | null;
  otpCode: Buffer | null;
  otpCodeKey: string | null;
  /** A JSON array of {number, idpId, externalUserId, displayName}. */
  links: string;
}

/** The user's details; or no sequence, and the numbers of the links to unknown providers. */
type InsertHumanUserRow = ObjectRow | { readonly sequence: null; readonly unknownLinks: number[] };

/**
 * Writes a human user, the links to identity providers, the events, the codes and the messages. Writes nothing if a link
 * is to a provider that belongs to neither the instance nor the organization.
 */
export const insertHumanUser = prepareStatement<InsertHumanUserValues, InsertHumanUserRow>((db, param) => {
  const user = {
    org_id: param("ownerId", "uuid"),
    id: param("aggregateId", "uuid"),
    kind: sql.lit("human"),
    ...createdColumns(param),
    user_name: param("userName", "text"),
    user_name_key: param("userNameKey", "text"),
    first_name: param("firstName", "text"),
    last_name: param("lastName", "text"),
    nick_name: param("nickName", "text"),
    display_name: param("displayName", "text"),
    preferred_language: param("preferredLanguage", "text"),
    gender: param("gender", "smallint"),
    email: param("email", "text"),
    email_verified: param("emailVerified", "boolean"),
    phone: param("phone", "text"),
    phone_verified: param("phoneVerified", "boolean"),
    password_hash: param("passwordHash", "text"),
    password_change_required: param("passwordChangeRequired", "boolean"),
    otp_code: param("otpCode", "bytea"),
    otp_code_key: param("otpCodeKey", "text"),
  } satisfies Record<keyof Tables["users"], Expression<unknown>>;
  const columns = Object.keys(user) as (keyof typeof user)[];

  return db
    .with("link", (query) =>
      query
        .selectFrom(givenLinks(param("links", "jsonb")))
        .leftJoin("idps", (join) =>
          join
            .onRef("idps.id", "=", "given.idp_id")
            .on("idps.owner_id", "in", [param("ownerId", "uuid"), param("instanceId", "uuid")]),
        )
        .select(["given.number", "given.idp_id", "given.external_user_id", "given.display_name", "idps.owner_id"]),
    )
    .with("created", (query) =>
      query
        .insertInto("users")
        .columns(columns)
        .expression(
          query
            .selectNoFrom(columns.map((column) => sql`${user[column]}`.as(column)))
            .where(({ not, exists, selectFrom }) =>
              not(exists(selectFrom("link").select("number").where("owner_id", "is", null))),
            ),
        )
        .returning(["sequence", "created_at", "changed_at"]),
    )
    .with("linked", (query) =>
      query
        .insertInto("user_idp_links")
        .columns(["org_id", "idp_id", "external_user_id", "idp_owner_id", "user_id", "display_name", "created_at"])
        .expression(
          query
            .selectFrom(["created", "link"])
            .select([
              sql<string>`${param("ownerId", "uuid")}`.as("org_id"),
              "link.idp_id",
              "link.external_user_id",
              "link.owner_id",
              sql<string>`${param("aggregateId", "uuid")}`.as("user_id"),
              "link.display_name",
              "created.created_at",
            ])
            // The same order in all imports, so that two with the same links wait for each other instead of deadlocking.
            .orderBy("link.idp_id")
            .orderBy("link.external_user_id"),
        ),
    )
    .with("appended", () => appendEvents(param, "created"))
    .with("coded", () => insertCodes(param, "created"))
    .with("queued", () => queueMessages(param, "created"))
    .selectFrom(sql`(select)`.as("always"))
    .leftJoin("created", (join) => join.onTrue())
    .select(["created.sequence", "created.created_at", "created.changed_at"])
    .select(({ selectFrom }) =>
      sql<number[]>`array(${selectFrom("link").select("number").where("owner_id", "is", null).orderBy("number")})`.as(
        "unknownLinks",
      ),
    );
});

/** The links of a request as rows, numbered from 0. */
function givenLinks(links: Expression<unknown>) {
  type Link = { number: number; idp_id: string; external_user_id: string; display_name: string };
  return sql<Link>`(
    select number, "idpId" as idp_id, "externalUserId" as external_user_id, "displayName" as display_name
    from jsonb_to_recordset(${links}) as link (number int, "idpId" uuid, "externalUserId" text, "displayName" text)
  )`.as("given");
}
