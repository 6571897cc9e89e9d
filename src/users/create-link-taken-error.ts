import { sql } from "kysely";
import type { Call } from "../call.ts";
import { columnsOf, createCommandList, isExpectedOnce, type Numbered } from "../database/command-list.ts";
import { idpLinkTaken } from "../database/failure.ts";
import { prepareListRead } from "../database/prepare-list.ts";
import type { CommandKind, RunTogether } from "../database/run-together.ts";
import type { SignetError } from "../errors.ts";
import type { IdpLinkPayload } from "../events/catalogue.ts";
import { givenLinks } from "./import/insert-human-users.ts";

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

interface Given {
  readonly orgId: string;
  readonly links: readonly IdpLinkPayload[];
}

const COMMANDS = createCommandList<Given>({ orgId: "uuid", links: "jsonb" });

const FIND_TAKEN: CommandKind<Given, { positions: number[] }> = {
  name: "find_taken_links",
  list: COMMANDS,
  statement: prepareListRead<Given, { positions: number[] } & Numbered>(COMMANDS, (db, commands) => {
    const given = columnsOf<Given>("given");
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
