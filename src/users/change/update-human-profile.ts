import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import { differsFrom } from "../../database/differs-from.ts";
import { PROFILE_TYPES, type ProfileFields, type ProfilePayload } from "../../database/profile.ts";
import { profileColumns } from "../../database/profile-columns.ts";
import type { Problems } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import { checkProfile } from "../check-profile.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/** A checked UpdateHumanProfileRequest. */
interface ProfileChange {
  readonly userId: string;
  readonly profile: ProfilePayload;
}

/** Checks the rules of UpdateHumanProfileRequest that the schema cannot express, and normalizes the fields. */
export function checkUpdateHumanProfile(
  request: { readonly userId: string } & ProfileFields,
  problems: Problems,
): ProfileChange {
  return { userId: request.userId, profile: checkProfile(request, "", problems) };
}

/**
 * Replaces the profile of a human user (docs/reference/change-users.md). If the profile is already stored, nothing
 * changes, and the response has the details of the last event.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export async function updateHumanProfile(
  parts: ChangeUserParts,
  { userId, profile }: ProfileChange,
  call: Call<Actor>,
): Promise<Changed> {
  const plans = [toPlan([{ type: "user.human.profile.changed", payload: profile }])];
  return await changeUser(parts, UPDATE_PROFILE, { userId, ...profile, plans }, call);
}

const UPDATE_PROFILE = prepareUserChange<ProfilePayload>({
  name: "update_human_profile",
  kind: "human",
  columns: PROFILE_TYPES,
  choose: (given) => sql`case when ${differsFrom("users", profileColumns(given))} then 0 end`,
  set: profileColumns,
});
