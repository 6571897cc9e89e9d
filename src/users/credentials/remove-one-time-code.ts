import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import { orgOf } from "../../database/command-list.ts";
import { prepareUserOperation } from "../change/prepare-user-operation.ts";

/**
 * Removes the one-time codes and the recovery codes of a human user, for example of one who has lost the authenticator
 * app (docs/reference/credentials.md). Ends the user's sessions.
 *
 * @throws SignetError USER_NOT_FOUND, OTP_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export const removeOneTimeCode = prepareUserOperation<{ readonly userId: string }, object, Actor>({
  name: "remove_one_time_code",
  kind: "human",
  toEvents: () => [{ type: "user.human.otp.removed", payload: {} }],
  refuse: sql`case when users.otp_code is null then 'OTP_NOT_FOUND' end`,
  writes: (planned) => sql`(
    delete from recovery_codes using planned
    where recovery_codes.org_id = ${orgOf("planned")} and recovery_codes.user_id = ${planned("aggregateId", "uuid")})`,
  endsSessions: true,
  notice: "one-time-codes-removed",
  set: () => ({ otp_code: sql`null`, otp_code_key: sql`null`, otp_last_step: sql`null` }),
});
