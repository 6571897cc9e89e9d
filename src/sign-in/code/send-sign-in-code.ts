import { sql } from "kysely";
import type { Caller } from "../../call.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { createId } from "../../crypto/secrets.ts";
import { isActiveUser } from "../../database/active.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { LIMITS } from "../../limits.ts";
import { sealContent } from "../../messages/message-content.ts";
import type { Outbox } from "../../messages/outbox.ts";
import { SIGN_IN_CODE } from "../../messages/sign-in-code-message.ts";
import type { SignInUser } from "../find-sign-in-user.ts";

interface SendParts extends ChangeParts {
  readonly keyring: Keyring;
  readonly outbox: Outbox;
}

/**
 * Sends a code to the verified address of an active user, as often in an hour as a notice.
 *
 * @returns Whether it was sent.
 * @throws SignetError for a failure of the database.
 */
export async function sendSignInCode(
  { db, clock, keyring, outbox }: SendParts,
  { orgId, id: userId, email }: Pick<SignInUser, "orgId" | "id" | "email">,
  digits: string,
  caller: Caller,
): Promise<boolean> {
  const id = createId();
  const { content, content_key: contentKey } = sealContent(keyring, id, { digits });
  const [row] = await insertMessage(db, { id, orgId, userId, email, content, contentKey, now: clock() }, caller);
  if (row === undefined) return false;
  outbox.announce([], [row]);
  return true;
}

interface InsertValues {
  id: string;
  orgId: string;
  userId: string;
  email: string;
  /** In Base64. */
  content: string;
  contentKey: string;
  now: Date;
}

const COLUMNS = [
  ...(["org_id", "id", "user_id", "notice", "channel", "recipient", "content", "content_key"] as const),
  ...(["created_at", "next_attempt_at"] as const),
] as const;

/** Returns no row if the limit is reached, or the user has changed. */
const insertMessage = prepareStatement<InsertValues, { id: string }>((db, param) => {
  const [notice, now] = [sql.lit(SIGN_IN_CODE), param("now", "timestamptz")];
  return db
    .insertInto("messages")
    .columns(COLUMNS)
    .expression((eb) =>
      eb
        .selectFrom("users")
        .select([
          "users.org_id",
          sql<string>`${param("id", "uuid")}`.as("id"),
          "users.id as user_id",
          sql<string>`${notice}`.as("notice"),
          sql<"email">`'email'`.as("channel"),
          "users.email as recipient",
          sql<Buffer>`decode(${param("content", "text")}, 'base64')`.as("content"),
          sql<string>`${param("contentKey", "text")}`.as("content_key"),
          sql<Date>`${now}`.as("created_at"),
          sql<Date>`${now}`.as("next_attempt_at"),
        ])
        .where("users.org_id", "=", param("orgId", "uuid"))
        .where("users.id", "=", param("userId", "uuid"))
        .where(isActiveUser("users"))
        .where("users.email", "=", param("email", "text"))
        .where("users.email_verified", "=", true)
        .where(
          sql<boolean>`${sql.lit(LIMITS.notices.most)} > (
            select count(*) from messages as earlier
            where earlier.org_id = users.org_id and earlier.user_id = users.id and earlier.notice = ${notice}
              and earlier.created_at > ${now} - interval '1 hour')`,
        ),
    )
    .returning("id");
});
