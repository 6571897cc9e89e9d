import type { Caller } from "../../call.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { PROFILE, type ProfileRow, toProfile } from "../../database/profile.ts";
import { SignetError } from "../../errors.ts";
import { describeEmailProblem } from "../../fields/email.ts";
import { cutName, describeNameProblem } from "../../fields/name.ts";
import type { ChangeUserParts } from "../../users/change/change-user.ts";
import { updateHumanEmail } from "../../users/change/update-human-email.ts";
import { checkUpdateHumanProfile, updateHumanProfile } from "../../users/change/update-human-profile.ts";
import { appendToUser } from "../append-to-user.ts";
import { findSignInUser, type SignInUser } from "../find-sign-in-user.ts";
import { toOwnCall } from "../own-call.ts";
import type { ExternalUser } from "./external-user.ts";

/**
 * Takes over the names and the verified address of a linked external user. Names that violate a rule, and names that
 * the provider does not send, are kept. So is the address if the new one finds another user, which an event records.
 *
 * @returns The user's current state; undefined if the user is gone.
 * @throws SignetError for a failure of the database.
 */
export async function updateFromProvider(
  parts: ChangeUserParts & { readonly db: Database },
  user: SignInUser,
  { idpId, external }: { readonly idpId: string; readonly external: ExternalUser },
  caller: Caller,
): Promise<SignInUser | undefined> {
  const call = toOwnCall(user, caller);
  const [row] = await selectProfile(parts.db, { orgId: user.orgId, userId: user.id }, caller);
  if (row === undefined) return undefined;
  const profile = toProfile(row);
  const names = {
    firstName: usable(external.givenName) || profile.firstName,
    lastName: usable(external.familyName) || profile.lastName,
    displayName: usable(external.name) || profile.displayName,
    nickName: usable(external.nickname) || profile.nickName,
  };
  const isNew = Object.entries(names).some(([name, value]) => profile[name as keyof typeof names] !== value);
  if (isNew) {
    const change = checkUpdateHumanProfile({ userId: user.id, ...profile, ...names }, { add() {} });
    await updateHumanProfile(parts, change, call);
  }
  const { email, emailVerified } = external;
  const isSame = email.toLowerCase() === user.email.toLowerCase() && user.emailVerified;
  if (emailVerified && !isSame && describeEmailProblem(email) === undefined) {
    const change = { userId: user.id, email, verified: true, changesName: false, needsFreeAddress: true };
    await updateHumanEmail(parts, change, call).catch(async (error) => {
      if (!(error instanceof SignetError && error.reason === "EMAIL_TAKEN")) throw error;
      const payload = { idpId, reason: error.reason };
      const refused = { type: "user.human.idp.email.refused", payload } as const;
      await appendToUser({ db: parts.db, now: parts.clock() }, user, refused, user.id);
    });
  }
  return await findSignInUser(parts, user.id, caller);
}

/** Empty for a name that violates a rule. */
function usable(name: string): string {
  const cut = cutName(name);
  return describeNameProblem(cut) === undefined ? cut : "";
}

const selectProfile = prepareStatement<{ orgId: string; userId: string }, ProfileRow>((db, param) =>
  db
    .selectFrom("users")
    .select(Object.values(PROFILE).map(({ column }) => column))
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("userId", "uuid"))
    .$castTo<ProfileRow>(),
);
