import { create } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import {
  SendHumanResetPasswordNotificationRequest_Type as Channel,
  SendHumanResetPasswordNotificationRequestSchema,
} from "../../gen/signet/v1/user_credential_pb.js";
import type { Caller } from "../call.ts";
import { NIL_ID } from "../crypto/secrets.ts";
import type { Tables } from "../database/tables.ts";
import { type Reason, SignetError } from "../errors.ts";
import type { ChangeUserParts } from "../users/change-user.ts";
import { sendPasswordReset } from "../users/send-password-reset.ts";
import { findSignInUserByName } from "./find-sign-in-user.ts";
import { toOwnCall } from "./own-call.ts";
import { toNameKey } from "./sign-in-with-password.ts";

interface RequestPasswordResetParts extends ChangeUserParts {
  readonly db: Kysely<Tables>;
}

/**
 * Sends a link to set a new password to the verified address of an active user, at most one per minute and five in 24 hours
 * (docs/sign-in.md). The caller does not learn whether it was sent.
 *
 * @throws SignetError for a failure of the database.
 */
export async function requestPasswordReset(
  parts: RequestPasswordResetParts,
  { orgId, userName }: { readonly orgId: string; readonly userName: string },
  caller: Caller,
): Promise<void> {
  const user = await findSignInUserByName(parts, { orgId, nameKey: toNameKey(userName) }, caller);
  // The same statement runs for a user that does not exist.
  const id = user?.id ?? NIL_ID;
  const request = create(SendHumanResetPasswordNotificationRequestSchema, { userId: id, type: Channel.EMAIL });
  try {
    await sendPasswordReset(parts, request, toOwnCall({ id, orgId }, caller));
  } catch (error) {
    if (!(error instanceof SignetError) || !UNSENT.has(error.reason)) throw error;
  }
}

/** The reasons why no link is sent. */
const UNSENT: ReadonlySet<Reason> = new Set<Reason>([
  "USER_NOT_FOUND",
  "USER_STATE",
  "RECIPIENT_NOT_VERIFIED",
  "TOO_MANY_MESSAGES",
  "MAIL_SERVER_MISSING",
]);
