import type { Columns } from "../database/command-list.ts";
import type { Param } from "../database/prepare.ts";
import type { ProfilePayload } from "../events/catalogue.ts";

/** The types of the values of a profile. */
export const PROFILE_TYPES = {
  firstName: "text",
  lastName: "text",
  nickName: "text",
  displayName: "text",
  preferredLanguage: "text",
  gender: "smallint",
} as const satisfies Columns<ProfilePayload>;

/** The columns of a profile. */
export function profileColumns<Values extends ProfilePayload>(given: Param<Values>) {
  return {
    first_name: given("firstName", "text"),
    last_name: given("lastName", "text"),
    nick_name: given("nickName", "text"),
    display_name: given("displayName", "text"),
    preferred_language: given("preferredLanguage", "text"),
    gender: given("gender", "smallint"),
  };
}
