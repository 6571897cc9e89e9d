import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type ResendHumanInitializationRequest,
  type ResendHumanInitializationResponse,
  ResendHumanInitializationResponseSchema,
} from "../../gen/signet/v1/user_change_pb.js";
import type { Call } from "../call.ts";
import type { Problems } from "../errors.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { describeEmailProblem } from "../fields/email.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/** A checked ResendHumanInitializationRequest. */
export interface InitializationResend {
  readonly userId: string;
  /** A new address; null for the stored one. */
  readonly email: string | null;
}

/** Checks the rules of ResendHumanInitializationRequest that the schema cannot express. */
export function checkResendHumanInitialization(
  { userId, email }: ResendHumanInitializationRequest,
  problems: Problems,
): InitializationResend {
  const problem = email && describeEmailProblem(email);
  if (problem) problems.add("email", problem);
  return { userId, email: email || null };
}

/**
 * Sends a new initialization email to a human user, to a new address if one is given (docs/api.md). Its link replaces
 * earlier ones.
 *
 * @throws SignetError USER_NOT_FOUND, USER_STATE if the user is initialized, deactivated or locked, TOO_MANY_MESSAGES,
 *   PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function resendHumanInitialization(
  parts: ChangeUserParts,
  { userId, email }: InitializationResend,
  call: Call,
): Promise<ResendHumanInitializationResponse> {
  // If no address is given, the statement uses the stored one.
  const issued = parts.outbox.initialization(email ?? "");
  const plans = [
    toPlan([], issued),
    toPlan(email === null ? [] : [{ type: "user.human.email.changed", payload: { email } }], issued),
  ];
  const user = await changeUser(parts, RESEND, { userId, email, plans }, call);
  return create(ResendHumanInitializationResponseSchema, { details: toObjectDetails(user, call.orgId) });
}

const RESEND = prepareUserChange<Pick<InitializationResend, "email">>({
  name: "resend_human_initialization",
  kind: "human",
  columns: { email: "text" },
  refuse: sql`case when users.initialized or users.state <> 'active' then 'USER_STATE' end`,
  limitedKind: "initialization",
  choose: (given) => sql`case when users.email <> ${given("email", "text")} then 1 else 0 end`,
  recipient: (given) => sql`coalesce(${given("email", "text")}, users.email)`,
  set: (given) => ({
    email: sql`coalesce(${given("email", "text")}, users.email)`,
    email_verified: sql`users.email_verified and users.email = coalesce(${given("email", "text")}, users.email)`,
  }),
});
