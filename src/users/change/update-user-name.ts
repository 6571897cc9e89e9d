import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import { addProblem, type Problems } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import { trimText } from "../../fields/trim-text.ts";
import { describeUserNameProblem } from "../../fields/user-name.ts";
import { isFoundByOther, NEW_NAME_TYPES, type NewName, toNewName } from "../found-by-other.ts";
import { explainTakenName } from "../taken-errors.ts";
import type { ChangeUserParts } from "./change-user.ts";
import { prepareUserOperation } from "./prepare-user-operation.ts";

/** A checked UpdateUserNameRequest. */
interface UserNameChange {
  readonly userId: string;
  readonly userName: string;
}

/** Checks the rules of UpdateUserNameRequest that the schema cannot express. */
export function checkUpdateUserName(
  { userId, userName: given }: { readonly userId: string; readonly userName: string },
  problems: Problems,
): UserNameChange {
  const userName = trimText(given);
  addProblem(problems, "userName", describeUserNameProblem(userName));
  return { userId, userName };
}

/**
 * Changes the name of a human or machine user (docs/reference/change-users.md). If the name is already stored, nothing
 * changes, and the response has the details of the last event.
 *
 * A name that is another user's verified address or number is taken too: see `isFoundByOther`.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, USER_NAME_TAKEN, or for a failure of the database.
 */
export async function updateUserName(
  parts: ChangeUserParts,
  change: UserNameChange,
  call: Call<Actor>,
): Promise<Changed> {
  return await explainTakenName(parts, change.userName, call, changeName(parts, change, call));
}

const changeName = prepareUserOperation<UserNameChange, NewName, Actor>({
  name: "update_user_name",
  columns: NEW_NAME_TYPES,
  toValues: ({ userName }) => toNewName(userName),
  toEvents: ({ userName }) => [{ type: "user.username.changed", payload: { userName } }],
  refuse: (given) => sql`case when ${isFoundByOther(given)} then 'USER_NAME_TAKEN' end`,
  choose: (given) => sql`case when users.user_name <> ${given("userName", "text")} then 0 end`,
  set: (given) => ({ user_name: given("userName", "text"), user_name_key: given("userNameKey", "text") }),
});
