import { type QueryCreator, sql } from "kysely";
import type { Caller, QueryCaller } from "../../call.ts";
import { type Param, prepareStatement } from "../../database/prepare.ts";
import type { Tables } from "../../database/tables.ts";
import { SignetError } from "../../errors.ts";
import { appendEvents, type EventValues } from "../../events/append-events.ts";
import type { IdpLinkPayload } from "../../events/catalogue.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { type NoticeValues, queueNotices } from "../../messages/notices.ts";
import type { Outbox } from "../../messages/outbox.ts";
import { changeUserRow } from "../../users/change/change-user-row.ts";
import { toOwnEvents } from "../append-to-user.ts";
import type { SignInUser } from "../find-sign-in-user.ts";
import type { SignInOrigin } from "../sign-in-origin.ts";

/** A provider in the version of its configuration that has confirmed an external user. */
export type ConfirmedBy = Pick<SignInIdp, "id" | "ownerId" | "sequence">;

interface Relinked {
  readonly externalUserId: string;
  readonly formerExternalUserId: string;
}

/** An external user to link to the account of a user who has not confirmed it yet. */
export interface PendingLink extends IdpLinkPayload {
  /** See `ExternalIds`; absent if there are none. */
  readonly otherIds?: readonly string[] | undefined;
  /** See `ConfirmedBy`. */
  readonly idpSequence: string;
}

/**
 * Links an external user to the user who has signed in and confirmed the link.
 *
 * @param otherIds See `ExternalIds`: a link by one of them is a link of the external user too.
 * @returns The user's current state; undefined if the user has changed since it was read, the external user is already
 *   linked to a user of the organization, or the provider was changed or removed.
 * @throws SignetError for a failure of the database.
 */
export async function linkExternalUser(
  { db, clock, outbox }: ChangeParts & { readonly outbox: Outbox },
  user: SignInUser,
  idp: ConfirmedBy,
  { otherIds = [], ...link }: IdpLinkPayload & Pick<PendingLink, "otherIds">,
  caller: Caller,
): Promise<SignInUser | undefined> {
  const notices = outbox.notices("provider-linked", { isOwn: true, userAgent: caller.userAgent });
  const values = {
    ...toOwnEvents(user, clock(), [{ type: "user.human.idp.linked", payload: link }]),
    ...link,
    otherIds,
    idpOwnerId: idp.ownerId,
    idpSequence: idp.sequence,
    sequence: user.sequence,
    notices: JSON.stringify(notices),
  };
  try {
    const [row] = await insertLink(db, values, caller);
    if (row === undefined) return undefined;
    outbox.announce([], notices);
    return { ...user, sequence: row.sequence };
  } catch (error) {
    const isTaken = error instanceof SignetError && /^IDP_(LINK_TAKEN|NOT_FOUND)$/.test(error.reason);
    if (isTaken) return undefined;
    throw error;
  }
}

/**
 * Records that a provider has confirmed the user's identity.
 *
 * @param relinked The id by which the user is linked from now on, if the link was found by another one.
 * @returns The user's current state; undefined if the user may not sign in, or the user's sessions have ended since it
 *   was read, for example because the link was removed, or if the provider was changed or removed.
 */
export async function recordIdpCheck(
  { db, clock }: ChangeParts,
  user: SignInUser,
  { idp, relinked }: { readonly idp: ConfirmedBy; readonly relinked?: Relinked | undefined },
  origin: SignInOrigin,
  caller?: QueryCaller,
): Promise<SignInUser | undefined> {
  const now = clock();
  const by = { idpId: idp.id, idpOwnerId: idp.ownerId, idpSequence: idp.sequence, sequence: user.sequence };
  const check = { type: "user.human.idp.check.succeeded", payload: { idpId: idp.id, ...origin } } as const;
  const store = async () => {
    if (relinked === undefined) return await storeCheck(db, { ...toOwnEvents(user, now, [check]), ...by }, caller);
    const change = { type: "user.human.idp.relinked", payload: { idpId: idp.id, ...relinked } } as const;
    const values = { ...toOwnEvents(user, now, [change, check]), ...by, ...relinked };
    return await storeRelinkingCheck(db, values, caller);
  };
  const [row] = await store();
  return row && { ...user, sequence: row.sequence };
}

interface CheckValues extends EventValues {
  idpId: string;
  idpOwnerId: string;
  idpSequence: bigint;
  sequence: bigint;
}

type LinkValues = CheckValues & NoticeValues & IdpLinkPayload & { otherIds: readonly string[] };

/**
 * The provider, unless it was changed since it has confirmed the external user: another issuer may have confirmed the
 * same id.
 */
function confirmingIdp<Values extends CheckValues>(query: QueryCreator<Tables>, given: Param<Values>) {
  const param = given as unknown as Param<CheckValues>;
  return query
    .selectFrom("idps")
    .select(["owner_id", "id"])
    .where("owner_id", "=", param("idpOwnerId", "uuid"))
    .where("id", "=", param("idpId", "uuid"))
    .where("sequence", "=", param("idpSequence", "bigint"));
}

const hasIdp = sql<boolean>`exists (select from idp)`;

const insertLink = prepareStatement<LinkValues, { sequence: bigint }>((db, param) =>
  db
    // The lock makes a concurrent change of the provider wait, or be seen.
    .with("idp", (query) => confirmingIdp(query, param).forKeyShare())
    .with("changed", (query) =>
      changeUserRow(query, param)
        .where("state", "=", "active")
        .where("sequence", "=", param("sequence", "bigint"))
        .where(hasIdp)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("user_idp_links")
                .select("user_id")
                .where("user_idp_links.org_id", "=", param("ownerId", "uuid"))
                .where("idp_id", "=", param("idpId", "uuid"))
                .where("external_user_id", "=", sql<string>`any(${param("otherIds", "text[]")})`),
            ),
          ),
        ),
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
    .with("notified", () => queueNotices(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);

function checkedUser<Values extends CheckValues>(query: QueryCreator<Tables>, param: Param<Values>) {
  const given = param as unknown as Param<CheckValues>;
  return changeUserRow(query, param)
    .where("state", "=", "active")
    .where(hasIdp)
    .where("sessions_ended_sequence", "<=", given("sequence", "bigint"));
}

const storeCheck = prepareStatement<CheckValues, { sequence: bigint }>((db, param) =>
  db
    // Needs no lock: while there is a link, only callers who may change its user can change who is named.
    .with("idp", (query) => confirmingIdp(query, param))
    .with("changed", (query) => checkedUser(query, param))
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);

/** The same, and changes the id of the link. */
const storeRelinkingCheck = prepareStatement<CheckValues & Relinked, { sequence: bigint }>((db, param) =>
  db
    .with("idp", (query) => confirmingIdp(query, param))
    .with("changed", (query) => checkedUser(query, param))
    .with("relinked", (query) =>
      query
        .updateTable("user_idp_links")
        .from("changed")
        .set({ external_user_id: param("externalUserId", "text") })
        .where("user_idp_links.org_id", "=", param("ownerId", "uuid"))
        .where("idp_id", "=", param("idpId", "uuid"))
        .where("external_user_id", "=", param("formerExternalUserId", "text"))
        .where("user_id", "=", param("aggregateId", "uuid")),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
