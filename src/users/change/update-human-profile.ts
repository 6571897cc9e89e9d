import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import { differsFrom } from "../../database/differs-from.ts";
import { PROFILE_TYPES, type ProfileFields, type ProfilePayload } from "../../database/profile.ts";
import { profileColumns } from "../../database/profile-columns.ts";
import type { Problems } from "../../errors.ts";
import { checkProfile } from "../check-profile.ts";
import { prepareUserOperation } from "./prepare-user-operation.ts";

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
export const updateHumanProfile = prepareUserOperation<ProfileChange, ProfilePayload, Actor>({
  name: "update_human_profile",
  kind: "human",
  columns: PROFILE_TYPES,
  toValues: ({ profile }) => profile,
  toEvents: (profile) => [{ type: "user.human.profile.changed", payload: profile }],
  choose: (given) => sql`case when ${differsFrom("users", profileColumns(given))} then 0 end`,
  set: profileColumns,
});
