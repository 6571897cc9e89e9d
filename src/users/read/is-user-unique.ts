import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { foldCase } from "../../database/text-match.ts";
import type { Problems } from "../../errors.ts";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { isFoundByOther, isNameOfOther, NOBODY, toNewName } from "../found-by-other.ts";
import { USER_TEXTS } from "./user-columns.ts";

/** A checked IsUserUniqueRequest; an absent address is null. */
interface NamesToCheck {
  /** Empty if the name is absent. */
  readonly userNameKey: string;
  /** E.164 if the name is a phone number. */
  readonly userNamePhone: string | null;
  readonly email: string | null;
}

/** Checks the rules of IsUserUniqueRequest that the schema cannot express. */
export function checkIsUserUnique(
  request: { readonly userName: string; readonly email: string },
  problems: Problems,
): NamesToCheck {
  const { userNameKey: key, userNamePhone } = toNewName(trimText(request.userName));
  const email = trimText(request.email);
  if (key === "" && email === "") problems.add("userName", "is required, or email");
  return { userNameKey: key, userNamePhone, email: email || null };
}

/**
 * Returns whether the user name and the email address find no user of the organization, ignoring case
 * (docs/reference/read-users.md). Signet itself allows several users with one address.
 *
 * @throws SignetError for a failure of the database.
 */
export async function isUserUnique(
  { db }: { readonly db: Database },
  names: NamesToCheck,
  call: Call,
): Promise<boolean> {
  const [row] = await selectTaken(
    db,
    { ...names, emailKey: names.email && userNameKey(names.email), orgId: call.orgId },
    call,
  );
  return row?.is_taken === false;
}

const selectTaken = prepareStatement<NamesToCheck & { orgId: string; emailKey: string | null }, { is_taken: boolean }>(
  (db, param) => {
    const inOrg = db.selectFrom("users").select("id").where("org_id", "=", param("orgId", "uuid"));
    const getter = { orgId: sql<string>`${param("orgId", "uuid")}`, userId: NOBODY };
    return db.selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(inOrg.where("user_name_key", "=", param("userNameKey", "text"))),
          isFoundByOther(param, getter),
          eb.exists(
            inOrg.where(sql`${USER_TEXTS.email.folded} collate "C"`, "=", foldCase(sql`${param("email", "text")}`)),
          ),
          isNameOfOther(param("emailKey", "text"), "email", getter),
        ])
        .$castTo<boolean>()
        .as("is_taken"),
    );
  },
);
