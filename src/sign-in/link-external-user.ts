import { type Kysely, sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { IdpLinkPayload } from "../events/catalogue.ts";
import type { SignInIdp } from "../idps/find-sign-in-idp.ts";
import { changeUserRow } from "../users/change-user-row.ts";
import type { SignInUser } from "./find-sign-in-user.ts";

interface LinkParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

/**
 * Links an external user to the user who has signed in and confirmed the link.
 *
 * @returns The user's current state; undefined if the user has changed since it was read, the external user is already
 *   linked to a user of the organization, or the provider was removed.
 * @throws SignetError for a failure of the database.
 */
export async function linkExternalUser(
  { db, clock }: LinkParts,
  user: SignInUser,
  idp: Pick<SignInIdp, "ownerId">,
  link: IdpLinkPayload,
  caller: QueryCaller,
): Promise<SignInUser | undefined> {
  const values = {
    ...link,
    ownerId: user.orgId,
    aggregateId: user.id,
    editorId: user.id,
    idpOwnerId: idp.ownerId,
    sequence: user.sequence,
    now: clock(),
    events: eventsToJson([{ type: "user.human.idp.linked", payload: link }]),
  };
  try {
    const [row] = await insertLink(db, values, caller);
    return row && { ...user, sequence: row.sequence };
  } catch (error) {
    const isTaken = error instanceof SignetError && /^IDP_(LINK_TAKEN|NOT_FOUND)$/.test(error.reason);
    if (isTaken) return undefined;
    throw error;
  }
}

/**
 * Records that a provider has confirmed the user's identity.
 *
 * @returns The user's current state; undefined if the user may not sign in, or the user's sessions have ended since it
 *   was read, for example because the link was removed.
 */
export async function recordIdpCheck(
  { db, clock }: LinkParts,
  user: SignInUser,
  idpId: string,
  caller?: QueryCaller,
): Promise<SignInUser | undefined> {
  const values = {
    ownerId: user.orgId,
    aggregateId: user.id,
    editorId: user.id,
    sequence: user.sequence,
    now: clock(),
    events: eventsToJson([{ type: "user.human.idp.check.succeeded", payload: { idpId } }]),
  };
  const [row] = await storeCheck(db, values, caller);
  return row && { ...user, sequence: row.sequence };
}

interface LinkValues extends EventValues, IdpLinkPayload {
  idpOwnerId: string;
  sequence: bigint;
}

const insertLink = prepareStatement<LinkValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param).where("state", "=", "active").where("sequence", "=", param("sequence", "bigint")),
    )
    .with("linked", (query) =>
      query
        .insertInto("user_idp_links")
        .columns(["org_id", "idp_id", "external_user_id", "idp_owner_id", "user_id", "display_name", "created_at"])
        .expression(
          query
            .selectFrom("changed")
            .select([
              sql<string>`${param("ownerId", "uuid")}`.as("org_id"),
              sql<string>`${param("idpId", "uuid")}`.as("idp_id"),
              sql<string>`${param("externalUserId", "text")}`.as("external_user_id"),
              sql<string>`${param("idpOwnerId", "uuid")}`.as("idp_owner_id"),
              sql<string>`${param("aggregateId", "uuid")}`.as("user_id"),
              sql<string>`${param("displayName", "text")}`.as("display_name"),
              "changed.changed_at as created_at",
            ]),
        ),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);

const storeCheck = prepareStatement<EventValues & { sequence: bigint }, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param)
        .where("state", "=", "active")
        .where("sessions_ended_sequence", "<=", param("sequence", "bigint")),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
