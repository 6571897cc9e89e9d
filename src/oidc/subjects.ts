import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/*
 * An imported user may have a subject: the claim `sub` of an earlier system. In sessions, grants and tokens, the account
 * is the user's id, so that a subject never decides who somebody is; see `presentSubject` for what applications receive.
 */

/** The claim `sub` of a user: the subject if there is one, otherwise the id. */
export async function findSubject(db: Database, userId: string): Promise<string> {
  const [row] = await selectSubject(db, { userId });
  return row?.subject ?? userId;
}

/** The id of the user with a claim `sub`: the claim itself if no user has it as subject. */
export async function findUserId(db: Database, sub: string): Promise<string> {
  const [row] = await selectUserId(db, { subject: sub });
  return row?.user_id ?? sub;
}

const selectSubject = prepareStatement<{ userId: string }, { subject: string }>((db, param) =>
  db.selectFrom("user_subjects").select("subject").where("user_id", "=", param("userId", "uuid")),
);

const selectUserId = prepareStatement<{ subject: string }, { user_id: string }>((db, param) =>
  db.selectFrom("user_subjects").select("user_id").where("subject", "=", param("subject", "text")),
);
