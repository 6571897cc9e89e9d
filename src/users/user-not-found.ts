import type { QueryCaller } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
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

/** A user of an organization, who may not exist. */
export interface UserKey {
  readonly orgId: string;
  readonly userId: string;
}

/** @throws SignetError USER_NOT_FOUND if there is no such user, or for a failure of the database. */
export async function throwUnlessUser(
  { db }: { readonly db: Database },
  user: UserKey,
  missing: "id: no user" | "userId: no human user" | "userId: no machine user",
  caller: QueryCaller,
): Promise<void> {
  const [found] = isId(user.userId) ? await selectKind(db, user, caller) : [];
  const isWanted = missing === "id: no user" || missing === `userId: no ${found?.kind} user`;
  if (found === undefined || !isWanted) throw userNotFound(missing, user.userId);
}

const selectKind = prepareStatement<UserKey, { kind: "human" | "machine" }>((db, param) =>
  db
    .selectFrom("users")
    .select("kind")
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("userId", "uuid")),
);
