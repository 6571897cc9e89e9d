import { sql } from "kysely";
import { namedColumns } from "../../database/columns-of.ts";
import type { ListSource } from "../../database/list-page.ts";
import type { ProfileRow } from "../../database/profile.ts";
import { STORED_PROFILE } from "../../database/profile-columns.ts";
import type { Tables } from "../../database/tables.ts";
import type { ObjectRow } from "../../events/object-details.ts";
import { subjectOf } from "../subjects.ts";
import { USER_STATE } from "./user-columns.ts";

type Read = "id" | "kind" | "user_name" | "email" | "phone" | "password_changed_at";

/** The columns of a user in responses. None of them contains a secret. */
export interface UserRow extends ObjectRow, ProfileRow, Pick<Tables["users"], Read> {
  last_signed_in_at: Date | null;
  /** Of a machine user. */
  description: string | null;
  email_verified: boolean;
  phone_verified: boolean;
  password_change_required: boolean;
  second_factor_required: boolean;
  /** The number of the `UserState`. */
  state_number: number;
  /** What applications see instead of the id; null if they see the id. */
  subject: string | null;
}

/** The expressions of these columns. */
export const USER_COLUMNS: ListSource<UserRow>["columns"] = {
  ...namedColumns("users", ["id", "kind", "sequence", "created_at", "changed_at"]),
  state_number: USER_STATE,
  user_name: sql.ref("users.user_name"),
  ...STORED_PROFILE,
  ...namedColumns("users", ["description", "last_signed_in_at", "email", "email_verified", "phone", "phone_verified"]),
  ...namedColumns("users", ["password_changed_at", "password_change_required", "second_factor_required"]),
  subject: subjectOf(sql.ref("users.id")),
};
