import type { User } from "../../../gen/signet/v1/user_pb.js";
import type { Permissions } from "../../state/permissions.ts";

/** What each part of the page of a user gets. */
export interface UserPart {
  readonly orgId: string;
  readonly user: User;
  readonly permissions: Permissions;
  /** Whether the person has the permission `user.write`. */
  readonly mayChange: boolean;
  /** Called after a change of the user, whose details are then read again. */
  readonly onChanged: () => void;
}
