import { SignetError } from "../errors.ts";

/** The field with the id, and the expected kind of user. */
export type MissingUser = "id: no user" | "userId: no user" | "userId: no human user" | "userId: no machine user";

/** The error for an id that does not belong to a user of this kind in the organization. */
export function userNotFound(missing: MissingUser, userId: string): SignetError {
  return new SignetError("USER_NOT_FOUND", `${missing} of the organization has this id`, { metadata: { userId } });
}
