import type { Caller } from "../../call.ts";
import { NIL_ID } from "../../crypto/secrets.ts";
import type { Database } from "../../database/database.ts";
import { type Reason, SignetError } from "../../errors.ts";
import type { ChangeUserParts } from "../../users/change/change-user.ts";
import { sendPasswordReset } from "../../users/credentials/send-password-reset.ts";
import { sendAddressLink } from "../address-link.ts";
import { findIdentifiedUser, findUninitializedUser, isUninitialized } from "../find-sign-in-user.ts";
import type { Identifier } from "../identifier.ts";
import { toOwnCall } from "../own-call.ts";

/**
 * Sends a link to set a new password to the verified address of an active user, unless the limits of `nextSendAt` are
 * reached (docs/sign-in.md). A user who never had a password, and whose address is not verified, gets the initialization
 * email again instead. The caller does not learn what was sent.
 *
 * @throws SignetError for a failure of the database.
 */
export async function requestPasswordReset(
  parts: ChangeUserParts & { readonly db: Database },
  { orgId, identifier }: { readonly orgId: string; readonly identifier: Identifier },
  caller: Caller,
): Promise<void> {
  const { emailKey } = identifier;
  const user =
    (await findIdentifiedUser(parts, { orgId, ...identifier }, caller)) ??
    (emailKey === null ? undefined : await findUninitializedUser(parts, { orgId, emailKey }, caller));
  if (user !== undefined && isUninitialized(user)) {
    if (parts.outbox.sendsEmail) await sendAddressLink(parts, user);
    return;
  }
  // The same statement runs for a user that does not exist.
  const id = user?.id ?? NIL_ID;
  try {
    await sendPasswordReset(parts, { userId: id, channel: "email" }, toOwnCall({ id, orgId }, caller));
  } catch (error) {
    if (!(error instanceof SignetError) || !UNSENT.has(error.reason)) throw error;
  }
}

const UNSENT: ReadonlySet<Reason> = new Set<Reason>([
  "USER_NOT_FOUND",
  "USER_STATE",
  "RECIPIENT_NOT_VERIFIED",
  "TOO_MANY_MESSAGES",
  "MAIL_SERVER_MISSING",
]);
