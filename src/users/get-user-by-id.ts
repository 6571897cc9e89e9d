import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type GetUserByIDRequest,
  type GetUserByIDResponse,
  GetUserByIDResponseSchema,
} from "../../gen/signet/v1/user_read_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { createCommandList, isExpectedOnce, type ListValues, type Numbered } from "../database/command-list.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { CommandKind, RunTogether } from "../database/run-together.ts";
import { userNotFound } from "./user-not-found.ts";
import { toUser, USER_COLUMNS, type UserRow } from "./user-row.ts";

/**
 * Returns a user of the organization (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function getUserById(
  { runTogether }: { readonly runTogether: RunTogether },
  { id }: GetUserByIDRequest,
  call: Call,
): Promise<GetUserByIDResponse> {
  const row = isId(id) ? await runTogether(GET_USER, { orgId: call.orgId, id: id.toLowerCase() }, call) : undefined;
  if (row === undefined) throw userNotFound("id: no user", id);
  return create(GetUserByIDResponseSchema, { user: toUser(row, call.orgId) });
}

interface GetUser {
  orgId: string;
  id: string;
}

const COMMANDS = createCommandList<GetUser>({ orgId: "uuid", id: "uuid" });

const selectUsers = prepareStatement<ListValues, UserRow & Numbered>((db, param) =>
  db
    .with("asked", () => COMMANDS.rows(param("commands", "jsonb")))
    .selectFrom("asked")
    .innerJoin("users", (join) => join.onRef("users.org_id", "=", "asked.orgId").onRef("users.id", "=", "asked.id"))
    .select("asked.number")
    .select(Object.entries(USER_COLUMNS).map(([name, value]) => sql`${value}`.as(name)))
    .where(isExpectedOnce)
    .$castTo<UserRow & Numbered>(),
);

const GET_USER: CommandKind<GetUser, UserRow> = {
  name: "get_user_by_id",
  list: COMMANDS,
  statement: selectUsers,
  toGroup: ({ orgId }) => orgId,
  toKeys: ({ id }) => [id],
  isReading: true,
};
