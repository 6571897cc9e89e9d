import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { foldCase } from "../../database/text-match.ts";
import type { Problems } from "../../errors.ts";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { USER_TEXTS } from "./user-columns.ts";

/** A checked IsUserUniqueRequest; absent values are null. */
export interface NamesToCheck {
  readonly userNameKey: string | null;
  readonly email: string | null;
}

/** Checks the rules of IsUserUniqueRequest that the schema cannot express. */
export function checkIsUserUnique(
  request: { readonly userName: string; readonly email: string },
  problems: Problems,
): NamesToCheck {
  const key = userNameKey(trimText(request.userName));
  const email = trimText(request.email);
  if (key === "" && email === "") problems.add("userName", "is required, or email");
  return { userNameKey: key || null, email: email || null };
}

/**
 * Returns whether the user name or email address is unused in the organization, ignoring case (docs/api.md). Only user
 * names have to be unique.
 *
 * @throws SignetError for a failure of the database.
 */
export async function isUserUnique(
  { db }: { readonly db: Database },
  names: NamesToCheck,
  call: Call,
): Promise<boolean> {
  const [row] = await selectTaken(db, { ...names, orgId: call.orgId }, call);
  return row?.is_taken === false;
}

const selectTaken = prepareStatement<NamesToCheck & { orgId: string }, { is_taken: boolean }>((db, param) => {
  const inOrg = db.selectFrom("users").select("id").where("org_id", "=", param("orgId", "uuid"));
  return db.selectNoFrom((eb) =>
    eb
      .or([
        eb.exists(inOrg.where("user_name_key", "=", param("userNameKey", "text"))),
        eb.exists(
          inOrg.where(sql`${USER_TEXTS.email.folded} collate "C"`, "=", foldCase(sql`${param("email", "text")}`)),
        ),
      ])
      .$castTo<boolean>()
      .as("is_taken"),
  );
});
