import { SignetError } from "../errors.ts";

/** The field with the id, and the expected kind of user. */
export type MissingUser =
  | "id: no user"
  | "userId: no user"
  | "userId: no human user"
  | "userId: no machine user"
  | "userId: no user of the instance";

/** The error for an id that does not belong to a user of this kind in the organization, or in the instance. */
export function userNotFound(missing: MissingUser, userId: string): SignetError {
  const where = missing === "userId: no user of the instance" ? "" : " of the organization";
  return new SignetError("USER_NOT_FOUND", `${missing}${where} has this id`, { metadata: { userId } });
}
