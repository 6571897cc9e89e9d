import { sql } from "kysely";
import { type Actor, isAllowed } from "../actor.ts";
import type { Call } from "../call.ts";
import { idpLinkTaken, userNameTaken } from "../database/failure.ts";
import { prepareLookUp } from "../database/prepare-look-up.ts";
import type { RunTogether } from "../database/run-together.ts";
import { SignetError } from "../errors.ts";
import type { IdpLinkPayload } from "../events/catalogue.ts";
import { userNameKey } from "../fields/user-name.ts";
import { givenLinks } from "./import/insert-human-users.ts";

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

const FIND_BY_NAME = prepareLookUp<{ orgId: string; nameKey: string }, { id: string }>(
  "find_user_name",
  { orgId: "uuid", nameKey: "text" },
  (asked) =>
    asked
      .innerJoin("users", (join) =>
        join.onRef("users.org_id", "=", "asked.orgId").onRef("users.user_name_key", "=", "asked.nameKey"),
      )
      .select("users.id"),
  ({ orgId }) => orgId,
);

/**
 * The error for links of which at least one is taken in the organization. It names them, but not the users who have
 * them.
 *
 * @throws SignetError for a failure of the database.
 */
export async function createLinkTakenError(
  runTogether: RunTogether,
  links: readonly IdpLinkPayload[],
  call: Call,
): Promise<SignetError> {
  const found = await runTogether(FIND_TAKEN, { orgId: call.orgId, links }, call);
  return idpLinkTaken((found?.positions ?? []).map((position) => `idps[${position}]`));
}

const FIND_TAKEN = prepareLookUp<{ orgId: string; links: readonly IdpLinkPayload[] }, { positions: number[] }>(
  "find_taken_links",
  { orgId: "uuid", links: "jsonb" },
  (asked) =>
    asked.select(({ selectFrom }) => {
      const taken = selectFrom(givenLinks(sql.ref("asked.links")))
        .innerJoin("user_idp_links", (join) =>
          join
            .on("user_idp_links.org_id", "=", sql.ref("asked.orgId"))
            .onRef("user_idp_links.idp_id", "=", "link.idp_id")
            .onRef("user_idp_links.external_user_id", "=", "link.external_user_id"),
        )
        .select("link.position")
        .orderBy("link.position");
      return sql<number[]>`array(${taken})`.as("positions");
    }),
  ({ orgId }) => orgId,
);
