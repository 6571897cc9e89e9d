import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { CodeKind } from "../codes/kinds.ts";
import { nextSendAt, sentTimesOfUser } from "../codes/replace-limits.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { SignInUser } from "./find-sign-in-user.ts";

/**
 * When `sendAddressLink` can send the user the next link; undefined if immediately.
 *
 * @throws SignetError for a failure of the database.
 */
export async function nextAddressLinkAt(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { orgId, id: userId, initialized }: SignInUser,
  caller: QueryCaller,
): Promise<Date | undefined> {
  const now = clock();
  const kind = initialized ? "email" : "initialization";
  const [user] = await selectSentTimes(db, { orgId, userId, kind, now }, caller);
  return nextSendAt({ kind, sentAt: user?.sentAt ?? [] }, now);
}

interface SentTimesValues {
  readonly orgId: string;
  readonly userId: string;
  readonly kind: CodeKind;
  readonly now: Date;
}

const selectSentTimes = prepareStatement<SentTimesValues, { sentAt: Date[] }>((db, param) =>
  db
    .selectFrom("users")
    .select(sentTimesOfUser(param("kind", "text"), param("now", "timestamptz")).as("sentAt"))
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("userId", "uuid")),
);
