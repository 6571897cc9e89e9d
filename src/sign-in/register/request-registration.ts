import { sql } from "kysely";
import type { Caller } from "../../call.ts";
import { countLink } from "../../codes/recipient-limit.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { createId } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { userNameKey } from "../../fields/user-name.ts";
import type { RegistrationContent } from "../../messages/message-content.ts";
import type { Outbox } from "../../messages/outbox.ts";
import { createRegistrationRow, type RegistrationKind } from "../../messages/registration-message.ts";
import { createRegistration, isTakenAddress, type LinkedRegistration } from "./registration.ts";

interface RequestParts extends ChangeParts {
  readonly keyring: Keyring;
  readonly outbox: Outbox;
}

interface RequestedRegistration extends Omit<LinkedRegistration, "userId"> {
  /** The paths of the email, by the code. */
  readonly toPaths: (code: string) => Omit<RegistrationContent, "language">;
}

/**
 * Sends an email to somebody who wants to register: a link that verifies the address, or the information that the
 * address has an account. One statement does the same work for both. Sends nothing if `countLink` does not allow another
 * email to the address. The caller does not learn which of them has happened.
 *
 * @throws SignetError for a failure of the database.
 */
export async function requestRegistration(
  { db, clock, keyring, outbox }: RequestParts,
  { toPaths, ...requested }: RequestedRegistration,
  caller: Caller,
): Promise<void> {
  const { orgId, email, language } = requested;
  const now = clock();
  if (!(await countLink(db, { orgId, email, use: "registration" }, now))) return;
  const pending = { ...requested, userId: createId() };
  const { code, ...registration } = createRegistration({ keyring, clock }, pending);
  const row = createRegistrationRow(keyring, { language, ...toPaths(code) });
  const { userId } = pending;
  const values = { ...row, ...registration, orgId, userId, email, emailKey: userNameKey(email), now };
  await insertRegistration(db, values, caller);
  outbox.announce([], [row]);
}

interface InsertValues {
  id: string;
  orgId: string;
  userId: string;
  email: string;
  emailKey: string;
  content: string;
  contentKey: string;
  codeHash: Buffer;
  sealed: string;
  expiresAt: Date;
  now: Date;
}

const insertRegistration = prepareStatement<InsertValues, never>((db, param) => {
  const kind = (name: RegistrationKind) => sql.lit(name);
  return db
    .with("registration", (query) =>
      query.insertInto("registrations").values({
        code_hash: param("codeHash", "bytea"),
        org_id: param("orgId", "uuid"),
        sealed: param("sealed", "text"),
        expires_at: param("expiresAt", "timestamptz"),
      }),
    )
    .insertInto("messages")
    .values({
      org_id: param("orgId", "uuid"),
      id: param("id", "uuid"),
      user_id: param("userId", "uuid"),
      notice: sql`case when ${isTakenAddress(param("orgId", "uuid"), param("emailKey", "text"))}
        then ${kind("registration-taken")} else ${kind("registration")} end`,
      channel: "email",
      recipient: param("email", "text"),
      content: sql`decode(${param("content", "text")}, 'base64')`,
      content_key: param("contentKey", "text"),
      created_at: param("now", "timestamptz"),
      next_attempt_at: param("now", "timestamptz"),
    })
    .$castTo<never>();
});
