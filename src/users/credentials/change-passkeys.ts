import { sql } from "kysely";
import type { Actor, Self } from "../../actor.ts";
import { canSignInWithout } from "../change/can-sign-in-without.ts";
import { prepareUserOperation } from "../change/prepare-user-operation.ts";

const HAS_GIVEN = sql<boolean>`exists (
      select from passkeys
      where passkeys.org_id = users.org_id and passkeys.user_id = users.id and passkeys.id = given."passkeyId")`;

/**
 * Gives a passkey another name, which only its user and administrators see.
 *
 * @param change `name`: as accepted by `describeNameProblem`.
 * @throws SignetError USER_NOT_FOUND, PASSKEY_NOT_FOUND, ABORTED, or for a failure of the database.
 */
export const renamePasskey = prepareUserOperation<
  { readonly userId: string; readonly passkeyId: string; readonly name: string },
  { passkeyId: string; name: string },
  Self
>({
  name: "rename_passkey",
  kind: "human",
  columns: { passkeyId: "text", name: "text" },
  toValues: ({ passkeyId, name }) => ({ passkeyId, name }),
  toEvents: ({ passkeyId, name }) => [{ type: "user.human.passwordless.renamed", payload: { passkeyId, name } }],
  refuse: sql`case when not ${HAS_GIVEN} then 'PASSKEY_NOT_FOUND' end`,
  writes: (planned) => sql`(
    update passkeys set name = ${planned("name", "text")} from planned
    where passkeys.org_id = ${planned("ownerId", "uuid")} and passkeys.user_id = ${planned("aggregateId", "uuid")}
      and passkeys.id = ${planned("passkeyId", "text")})`,
});

/**
 * Removes a passkey of a human user (docs/reference/credentials.md). Ends the user's sessions. Users themselves cannot
 * remove their only way to sign in.
 *
 * @throws SignetError USER_NOT_FOUND, PASSKEY_NOT_FOUND, ONLY_WAY_IN, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export const removePasskey = prepareUserOperation<
  { readonly userId: string; readonly tokenId: string },
  { passkeyId: string; keepsWayIn: boolean },
  Actor
>({
  name: "remove_passkey",
  kind: "human",
  columns: { passkeyId: "text", keepsWayIn: "boolean" },
  toValues: ({ tokenId }, { kind }) => ({ passkeyId: tokenId, keepsWayIn: kind === "self" }),
  toEvents: ({ passkeyId }) => [{ type: "user.human.passwordless.removed", payload: { passkeyId } }],
  refuse: sql`case
    when not ${HAS_GIVEN} then 'PASSKEY_NOT_FOUND'
    when given."keepsWayIn" and not ${canSignInWithout({ passkey: sql`passkeys.id = given."passkeyId"` })}
      then 'ONLY_WAY_IN' end`,
  writes: (planned) => sql`(
    delete from passkeys using planned
    where passkeys.org_id = ${planned("ownerId", "uuid")} and passkeys.user_id = ${planned("aggregateId", "uuid")}
      and passkeys.id = ${planned("passkeyId", "text")})`,
  endsSessions: true,
  notice: "passkey-removed",
});
