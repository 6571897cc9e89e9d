import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { addProblem, type Problems } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import { describeEmailProblem } from "../../fields/email.ts";
import { trimText } from "../../fields/trim-text.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";

/** A checked ResendHumanInitializationRequest. */
interface InitializationResend {
  readonly userId: string;
  /** A new address; null for the stored one. */
  readonly email: string | null;
}

/** Checks the rules of ResendHumanInitializationRequest that the schema cannot express. */
export function checkResendHumanInitialization(
  { userId, email: given }: { readonly userId: string; readonly email: string },
  problems: Problems,
): InitializationResend {
  const email = trimText(given);
  addProblem(problems, "email", email && describeEmailProblem(email));
  return { userId, email: email || null };
}

/**
 * Sends a new initialization email to a human user, to a new address if one is given (docs/reference/change-users.md).
 * Its link replaces earlier ones.
 *
 * @throws SignetError USER_NOT_FOUND, USER_STATE if the user is initialized, deactivated or locked, TOO_MANY_MESSAGES,
 *   PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function resendHumanInitialization(
  parts: ChangeUserParts,
  { userId, email }: InitializationResend,
  call: Call,
): Promise<Changed> {
  // If no address is given, the statement uses the stored one.
  const issued = parts.outbox.initialization(email ?? "");
  const plans = [
    toPlan([], issued),
    toPlan(email === null ? [] : [{ type: "user.human.email.changed", payload: { email } }], issued),
  ];
  return await changeUser(parts, RESEND, { userId, email, plans }, call);
}

const RESEND = prepareUserChange<Pick<InitializationResend, "email">>({
  name: "resend_human_initialization",
  kind: "human",
  columns: { email: "text" },
  refuse: sql`case when users.initialized or users.state <> 'active' then 'USER_STATE' end`,
  limitedKind: "initialization",
  choose: (given) => sql`case when users.email <> ${given("email", "text")} then 1 else 0 end`,
  notice: "email-changed",
  notified: (given) =>
    sql`case when users.email_verified and users.email <> ${given("email", "text")} then users.email end`,
  recipient: (given) => sql`coalesce(${given("email", "text")}, users.email)`,
  endsCodes: "email-change",
  set: (given) => ({
    email: sql`coalesce(${given("email", "text")}, users.email)`,
    email_verified: sql`users.email_verified and users.email = coalesce(${given("email", "text")}, users.email)`,
  }),
});
