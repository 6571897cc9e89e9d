import { type Expression, type RawBuilder, sql } from "kysely";
import type { Param } from "./prepare.ts";
import { PROFILE_ENTRIES, type ProfilePayload, type ProfileRow, toSqlType } from "./profile.ts";

/** The given values of a profile, by column. */
export function profileColumns<Values extends ProfilePayload>(given: Param<Values>) {
  const columns = PROFILE_ENTRIES.map(([name, field]) => [field.column, given(name, toSqlType(field))]);
  return Object.fromEntries(columns) as { readonly [Column in keyof ProfileRow]: Expression<ProfileRow[Column]> };
}

/** The stored columns of a profile. */
export const STORED_PROFILE = Object.fromEntries(
  PROFILE_ENTRIES.map(([, { column }]) => [column, sql.ref(`users.${column}`)]),
) as { readonly [Column in keyof ProfileRow]: RawBuilder<ProfileRow[Column]> };
