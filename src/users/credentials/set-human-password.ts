import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { addProblem, type Problems } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import type { Hasher } from "../../passwords/hasher.ts";
import { describePasswordProblem } from "../../passwords/policy.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";

/** The fields of SetHumanPasswordRequest. */
interface PasswordRequest {
  readonly userId: string;
  readonly password: string;
  readonly noChangeRequired: boolean;
}

/** A checked SetHumanPasswordRequest. */
interface PasswordChange {
  readonly userId: string;
  /** In plaintext. */
  readonly password: string;
  readonly changeRequired: boolean;
}

/** Checks the rules of SetHumanPasswordRequest that the schema cannot express. */
export function checkSetHumanPassword(request: PasswordRequest, problems: Problems): PasswordChange {
  const { userId, password, noChangeRequired } = request;
  addProblem(problems, "password", describePasswordProblem(password));
  return { userId, password, changeRequired: !noChangeRequired };
}

/**
 * Sets the password of a human user in any state (docs/reference/credentials.md). Ends the user's sessions, and
 * invalidates links to reset the password.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, UNAVAILABLE if too many passwords wait to be hashed, or for a
 *   failure of the database.
 */
export async function setHumanPassword(
  parts: ChangeUserParts & { readonly passwords: Hasher },
  { userId, password, changeRequired }: PasswordChange,
  call: Call,
): Promise<Changed> {
  const passwordHash = await parts.passwords.hash(password, { turn: { kind: "call", orgId: call.orgId }, ...call });
  const changed = { type: "user.human.password.changed", payload: {} } as const;
  const initialized = { type: "user.human.initialized", payload: { codeId: null } } as const;
  const plans = [toPlan([changed]), toPlan([changed, initialized])];
  return await changeUser(parts, SET_PASSWORD, { userId, passwordHash, changeRequired, plans }, call);
}

const SET_PASSWORD = prepareUserChange<{ passwordHash: string; changeRequired: boolean }>({
  name: "set_human_password",
  kind: "human",
  columns: { passwordHash: "text", changeRequired: "boolean" },
  // With a verified address, only a password is missing.
  choose: () => sql`case when not users.initialized and users.email_verified then 1 else 0 end`,
  endsSessions: true,
  endsCodes: "password",
  notice: "password-changed",
  set: (given) => ({
    password_hash: given("passwordHash", "text"),
    password_changed_at: sql`greatest(users.changed_at, planned.now)`,
    password_change_required: given("changeRequired", "boolean"),
    initialized: sql`users.initialized or users.email_verified`,
  }),
});
