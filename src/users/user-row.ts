import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { sql } from "kysely";
import { type User, UserSchema } from "../../gen/signet/v1/user_pb.js";
import type { ListSource } from "../database/list-page.ts";
import type { Tables } from "../database/tables.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { USER_STATE } from "./user-columns.ts";

type Read =
  | "id"
  | "kind"
  | "user_name"
  | "first_name"
  | "last_name"
  | "nick_name"
  | "display_name"
  | "preferred_language"
  | "gender"
  | "email"
  | "phone"
  | "password_changed_at";

/** The columns of a user in responses. None of them contains a secret. */
export interface UserRow extends ObjectRow, Pick<Tables["users"], Read> {
  email_verified: boolean;
  phone_verified: boolean;
  /** The number of the `UserState`. */
  state_number: number;
}

/** The expressions of these columns. */
export const USER_COLUMNS: ListSource<UserRow>["columns"] = {
  id: sql.ref("users.id"),
  kind: sql.ref("users.kind"),
  sequence: sql.ref("users.sequence"),
  created_at: sql.ref("users.created_at"),
  changed_at: sql.ref("users.changed_at"),
  state_number: USER_STATE,
  user_name: sql.ref("users.user_name"),
  first_name: sql.ref("users.first_name"),
  last_name: sql.ref("users.last_name"),
  nick_name: sql.ref("users.nick_name"),
  display_name: sql.ref("users.display_name"),
  preferred_language: sql.ref("users.preferred_language"),
  gender: sql.ref("users.gender"),
  email: sql.ref("users.email"),
  email_verified: sql.ref("users.email_verified"),
  phone: sql.ref("users.phone"),
  phone_verified: sql.ref("users.phone_verified"),
  password_changed_at: sql.ref("users.password_changed_at"),
};

/** Converts a row to a user in a response. */
export function toUser(row: UserRow, orgId: string): User {
  return create(UserSchema, {
    id: row.id,
    details: toObjectDetails(row, orgId),
    state: row.state_number,
    userName: row.user_name,
    loginNames: [row.user_name],
    preferredLoginName: row.user_name,
    type: row.kind === "human" ? toHuman(row) : { case: "machine", value: { name: row.user_name } },
  });
}

function toHuman(row: UserRow) {
  return {
    case: "human",
    value: {
      profile: {
        firstName: row.first_name ?? "",
        lastName: row.last_name ?? "",
        nickName: row.nick_name ?? "",
        displayName: row.display_name ?? "",
        preferredLanguage: row.preferred_language ?? "",
        gender: row.gender ?? 0,
      },
      email: { email: row.email ?? "", isEmailVerified: row.email_verified },
      ...(row.phone !== null && { phone: { phone: row.phone, isPhoneVerified: row.phone_verified } }),
      ...(row.password_changed_at !== null && { passwordChanged: timestampFromDate(row.password_changed_at) }),
    },
  } as const;
}
