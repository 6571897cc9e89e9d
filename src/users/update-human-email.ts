import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type UpdateHumanEmailRequest,
  type UpdateHumanEmailResponse,
  UpdateHumanEmailResponseSchema,
} from "../../gen/signet/v1/user_change_pb.js";
import type { Call } from "../call.ts";
import type { Problems } from "../errors.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { describeEmailProblem } from "../fields/email.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/** A checked UpdateHumanEmailRequest. */
export interface EmailChange {
  readonly userId: string;
  readonly email: string;
  readonly verified: boolean;
}

/** Checks the rules of UpdateHumanEmailRequest that the schema cannot express. */
export function checkUpdateHumanEmail(
  { userId, email, isEmailVerified }: UpdateHumanEmailRequest,
  problems: Problems,
): EmailChange {
  const problem = email && describeEmailProblem(email);
  if (problem) problems.add("email", problem);
  return { userId, email, verified: isEmailVerified };
}

/**
 * Changes the email address of a human user (docs/api.md).
 *
 * An unverified address gets a verification email. A user who has not completed the initialization gets a new
 * initialization email instead, unless the address is verified and there is a password, which completes the
 * initialization. If the address is already stored and verified, and given as verified again, nothing changes.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export async function updateHumanEmail(
  parts: ChangeUserParts,
  { userId, email, verified }: EmailChange,
  call: Call,
): Promise<UpdateHumanEmailResponse> {
  const { outbox } = parts;
  const events: NewEvent[] = [{ type: "user.human.email.changed", payload: { email } }];
  if (verified) events.push({ type: "user.human.email.verified", payload: { email } });
  const plans = [
    toPlan(events, ...(verified ? [] : [outbox.emailVerification(email)])),
    toPlan(events, outbox.initialization(email)),
    toPlan([...events, { type: "user.human.initialized", payload: { codeId: null } }]),
  ];
  const user = await changeUser(parts, UPDATE_EMAIL, { userId, email, verified, plans }, call);
  return create(UpdateHumanEmailResponseSchema, { details: toObjectDetails(user, call.orgId) });
}

const UPDATE_EMAIL = prepareUserChange<Omit<EmailChange, "userId">>({
  name: "update_human_email",
  kind: "human",
  columns: { email: "text", verified: "boolean" },
  choose: (given) => sql`case
    when users.email = ${given("email", "text")} and users.email_verified and ${given("verified", "boolean")} then null
    when users.initialized then 0
    when ${given("verified", "boolean")} and users.password_hash is not null then 2
    else 1 end`,
  set: (given) => ({
    email: given("email", "text"),
    email_verified: given("verified", "boolean"),
    initialized: sql`users.initialized or ${given("verified", "boolean")} and users.password_hash is not null`,
  }),
});
