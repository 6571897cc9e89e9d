import { type Actor, isAllowed } from "../actor.ts";
import type { Call } from "../call.ts";
import { columnsOf, createCommandList, isExpectedOnce, type Numbered } from "../database/command-list.ts";
import { userNameTaken } from "../database/failure.ts";
import { prepareListRead } from "../database/prepare-list.ts";
import type { CommandKind, RunTogether } from "../database/run-together.ts";
import { SignetError } from "../errors.ts";
import { userNameKey } from "../fields/user-name.ts";

/**
 * The error for a user name that is taken in the organization. Its metadata contains the id of the user with the name,
 * if the caller may read users.
 *
 * @throws SignetError for a failure of the database.
 */
export async function createNameTakenError(
  runTogether: RunTogether,
  userName: string,
  call: Call<Actor>,
): Promise<SignetError> {
  if (!isAllowed(call, "user.read")) return userNameTaken();
  const user = await runTogether(FIND_BY_NAME, { orgId: call.orgId, nameKey: userNameKey(userName) }, call);
  return userNameTaken(user?.id);
}

/** Adds to the error for a taken name who has it, if the caller may know it. */
export async function explainTakenName<Result>(
  { runTogether }: { readonly runTogether: RunTogether },
  userName: string,
  call: Call<Actor>,
  change: Promise<Result>,
): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    const isTaken = error instanceof SignetError && error.reason === "USER_NAME_TAKEN";
    throw isTaken ? await createNameTakenError(runTogether, userName, call) : error;
  }
}

interface Name {
  readonly orgId: string;
  readonly nameKey: string;
}

const COMMANDS = createCommandList<Name>({ orgId: "uuid", nameKey: "text" });

const FIND_BY_NAME: CommandKind<Name, { id: string }> = {
  name: "find_user_name",
  list: COMMANDS,
  statement: prepareListRead<Name, { id: string } & Numbered>(COMMANDS, (db, given) => {
    const named = columnsOf<Name>("named");
    return db
      .with("named", () => given)
      .selectFrom("named")
      .innerJoin("users", (join) =>
        join.on("users.org_id", "=", named("orgId", "uuid")).on("users.user_name_key", "=", named("nameKey", "text")),
      )
      .select(["named.number", "users.id"])
      .where(isExpectedOnce);
  }),
  toGroup: ({ orgId }) => orgId,
  toKeys: ({ nameKey }) => [nameKey],
  isReading: true,
};
