import type { ListParts } from "../fields/read-list.ts";
import type { ChangeUserParts } from "../users/change/change-user.ts";
import type { RemoveUserParts } from "../users/change/remove-user.ts";
import type { ImportHumanUserParts } from "../users/import/import-human-user.ts";

/** What requests for users and groups need. */
export type UserParts = ImportHumanUserParts &
  ChangeUserParts &
  RemoveUserParts &
  ListParts & {
    /** The URL of `/scim/v2`. */
    readonly baseUrl: string;
  };
