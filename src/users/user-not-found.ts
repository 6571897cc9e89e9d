import { SignetError } from "../errors.ts";

/** The field with the id, and the kind of user that it should be. */
export type MissingUser = "id: no user" | "userId: no user" | "userId: no human user";

/** The error for an id that no such user of the organization has. */
export function userNotFound(missing: MissingUser, userId: string): SignetError {
  return new SignetError("USER_NOT_FOUND", `${missing} of the organization has this id`, { metadata: { userId } });
}
