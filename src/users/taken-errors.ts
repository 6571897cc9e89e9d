import { sql } from "kysely";
import { type Actor, isAllowed } from "../actor.ts";
import type { Call } from "../call.ts";
import { columnsOf, createCommandList, isExpectedOnce, type Numbered } from "../database/command-list.ts";
import { idpLinkTaken, userNameTaken } from "../database/failure.ts";
import { prepareListRead } from "../database/prepare-list.ts";
import type { CommandKind, RunTogether } from "../database/run-together.ts";
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

interface Name {
  readonly orgId: string;
  readonly nameKey: string;
}

const NAMES = createCommandList<Name>({ orgId: "uuid", nameKey: "text" });

const FIND_BY_NAME: CommandKind<Name, { id: string }> = {
  name: "find_user_name",
  list: NAMES,
  statement: prepareListRead<Name, { id: string } & Numbered>(NAMES, (db, given) => {
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

interface Links {
  readonly orgId: string;
  readonly links: readonly IdpLinkPayload[];
}

const LINKS = createCommandList<Links>({ orgId: "uuid", links: "jsonb" });

const FIND_TAKEN: CommandKind<Links, { positions: number[] }> = {
  name: "find_taken_links",
  list: LINKS,
  statement: prepareListRead<Links, { positions: number[] } & Numbered>(LINKS, (db, commands) => {
    const given = columnsOf<Links>("given");
    return db
      .with("given", () => commands)
      .selectFrom("given")
      .select(({ selectFrom }) => {
        const taken = selectFrom(givenLinks(given("links", "jsonb")))
          .innerJoin("user_idp_links", (join) =>
            join
              .on("user_idp_links.org_id", "=", given("orgId", "uuid"))
              .onRef("user_idp_links.idp_id", "=", "link.idp_id")
              .onRef("user_idp_links.external_user_id", "=", "link.external_user_id"),
          )
          .select("link.position")
          .orderBy("link.position");
        return ["given.number", sql<number[]>`array(${taken})`.as("positions")];
      })
      .where(isExpectedOnce);
  }),
  toGroup: ({ orgId }) => orgId,
  toKeys: ({ links }) => [links.map(({ idpId, externalUserId }) => `${idpId.toLowerCase()} ${externalUserId}`).join()],
  isReading: true,
};
