import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Param } from "../../database/prepare.ts";
import { foldCase } from "../../database/text-match.ts";
import { addProblem, type Problems } from "../../errors.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import type { Changed } from "../../events/object-details.ts";
import { describeEmailProblem } from "../../fields/email.ts";
import { trimText } from "../../fields/trim-text.ts";
import {
  isAddressOfOther,
  isFoundByOther,
  isNameOfOther,
  NEW_NAME_TYPES,
  type NewName,
  toNewName,
} from "../found-by-other.ts";
import { explainTakenName } from "../taken-errors.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/** A checked UpdateHumanEmailRequest. */
interface EmailChange {
  readonly userId: string;
  readonly email: string;
  /** Null if it was not given. */
  readonly verified: boolean | null;
  /** Whether the address also becomes the user name, if the stored one is the user name. */
  readonly changesName: boolean;
  /** Whether no other active user may have verified the address: see `InsertHumanUser`. */
  readonly needsFreeAddress: boolean;
  /** Whether to send neither an email nor a notice. */
  readonly isQuiet?: boolean;
}

/** The fields of UpdateHumanEmailRequest. */
interface EmailRequest {
  readonly userId: string;
  readonly email: string;
  readonly isEmailVerified?: boolean | undefined;
  readonly changeUserName: boolean;
}

/** Checks the rules of UpdateHumanEmailRequest that the schema cannot express. */
export function checkUpdateHumanEmail(request: EmailRequest, problems: Problems): EmailChange {
  const { userId, isEmailVerified, changeUserName } = request;
  const email = trimText(request.email);
  addProblem(problems, "email", request.email && describeEmailProblem(email));
  return { userId, email, verified: isEmailVerified ?? null, changesName: changeUserName, needsFreeAddress: false };
}

/**
 * Changes the email address of a human user (docs/reference/change-users.md).
 *
 * An unverified address gets a verification email. A user who has not completed the initialization gets a new
 * initialization email instead, unless the address is verified and there is a password, which completes the
 * initialization. If the address is already stored and verified, and not given as unverified, nothing changes.
 *
 * With `changesName`, a user name that is the stored address changes with it. A page on which users change their own
 * address uses it with `verified`, after the user has proved the new address: otherwise, the user name would be an
 * address that may belong to somebody else.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, USER_NAME_TAKEN, EMAIL_TAKEN, or for a failure of the database.
 */
export async function updateHumanEmail(
  parts: ChangeUserParts,
  { userId, email, verified, changesName, needsFreeAddress, isQuiet = false }: EmailChange,
  call: Call<Actor>,
): Promise<Changed> {
  const { outbox } = parts;
  const events: NewEvent[] = [{ type: "user.human.email.changed", payload: { email } }];
  if (verified) events.push({ type: "user.human.email.verified", payload: { email } });
  const plans = [
    toPlan(events, ...(verified || isQuiet ? [] : [outbox.emailVerification(email)])),
    toPlan(events, ...(isQuiet ? [] : [outbox.initialization(email)])),
    toPlan([...events, { type: "user.human.initialized", payload: { codeId: null } }]),
  ];
  const renamed: NewEvent = { type: "user.username.changed", payload: { userName: email } };
  const renaming = changesName ? plans.map((plan) => ({ ...plan, events: [...plan.events, renamed] })) : [];
  const chosen = { userId, email, verified, changesName, needsFreeAddress };
  const values = { ...chosen, isQuiet, ...toNewName(email), plans: [...plans, ...renaming] };
  return await explainTakenName(parts, email, call, changeUser(parts, UPDATE_EMAIL, values, call));
}

interface EmailValues extends Omit<EmailChange, "userId" | "isQuiet">, NewName {}

const isStored = (given: Param<EmailValues>) => sql<boolean>`users.email = ${given("email", "text")}`;
const isVerified = (given: Param<EmailValues>) => sql<boolean>`coalesce(${given("verified", "boolean")}, false)`;

const UPDATE_EMAIL = prepareUserChange<EmailValues>({
  name: "update_human_email",
  kind: "human",
  columns: {
    email: "text",
    verified: "boolean",
    changesName: "boolean",
    needsFreeAddress: "boolean",
    ...NEW_NAME_TYPES,
  },
  refuse: (given) => sql`case
    when ${isRenamed(given)} then case when ${isFoundByOther(given)} then 'USER_NAME_TAKEN' end
    when not ${isVerified(given)} or ${isStored(given)} and users.email_verified then null
    when ${isNameOfOther(given("userNameKey", "text"), "email")}
      or ${given("needsFreeAddress", "boolean")} and ${isAddressOfOther(given("userNameKey", "text"))} then 'EMAIL_TAKEN' end`,
  choose: (given) => sql`case
    when ${isStored(given)} and users.email_verified and coalesce(${given("verified", "boolean")}, true) then null
    when users.initialized then 0
    when ${isVerified(given)} and users.password_hash is not null then 2
    else 1 end + case when ${isRenamed(given)} then 3 else 0 end`,
  // The event of an address that becomes unverified is that of a new one.
  isStored: (given) => sql`(${isStored(given)} and not users.email_verified)`,
  notice: "email-changed",
  notified: (given) =>
    sql`case when users.email_verified and users.email <> ${given("email", "text")} then users.email end`,
  endsCodes: "email-change",
  set: (given) => ({
    email: given("email", "text"),
    email_verified: isVerified(given),
    initialized: sql`users.initialized or ${isVerified(given)} and users.password_hash is not null`,
    user_name: sql`case when ${isRenamed(given)} then ${given("userName", "text")} else users.user_name end`,
    user_name_key: sql`case when ${isRenamed(given)} then ${given("userNameKey", "text")} else users.user_name_key end`,
  }),
});

/** Whether the stored address is the user name. The fold of the database can differ from that of names, as in locale C. */
function isRenamed(given: Param<EmailValues>): RawBuilder<boolean> {
  return sql<boolean>`(${given("changesName", "boolean")}
    and (users.user_name = users.email or users.user_name_key = ${foldCase(sql`users.email`)}))`;
}
