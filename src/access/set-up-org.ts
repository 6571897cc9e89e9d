import { sql } from "kysely";
import type { Call } from "../call.ts";
import { insertCodes } from "../codes/issue-code.ts";
import { createId } from "../crypto/secrets.ts";
import { columnsOf } from "../database/command-list.ts";
import type { Database } from "../database/database.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { Problems } from "../errors.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { userNameKey } from "../fields/user-name.ts";
import { type OutboxValues, queueMessages } from "../messages/outbox.ts";
import { checkOrgName, type OrgFields } from "../orgs/check-org-name.ts";
import type { Role } from "../roles.ts";
import {
  checkImportHumanUser,
  type HumanRequest,
  type HumanToImport,
} from "../users/import/check-import-human-user.ts";
import { type ImportHumanUserParts, prepareHuman } from "../users/import/import-human-user.ts";
import { HUMAN_COMMANDS, insertUsers, VERIFIED_PHONES, WRITTEN } from "../users/import/insert-human-users.ts";
import { storeVerifiedPhones } from "../users/verified-phones.ts";
import { checkMember, throwIfAboveOwn } from "./member-roles.ts";

/** The fields of SetUpOrgRequest. */
export interface OrgToSetUpRequest {
  readonly org?: OrgFields | undefined;
  readonly human?: Pick<HumanRequest, "userName" | "profile" | "email" | "phone" | "password"> | undefined;
  readonly roles: readonly string[];
}

/** A checked SetUpOrgRequest. */
export interface OrgToSetUp {
  readonly org: OrgFields;
  readonly human: HumanToImport;
  readonly roles: readonly Role[];
}

/** Checks the rules of SetUpOrgRequest that the schema cannot express. */
export function checkSetUpOrg({ org, human, roles }: OrgToSetUpRequest, problems: Problems): OrgToSetUp {
  const within = (name: string): Problems => ({
    add: (field, description) => problems.add(`${name}.${field}`, description),
  });
  const given = {
    userName: "",
    ...human,
    passwordChangeRequired: false,
    requestPasswordlessRegistration: false,
    otpCode: "",
    idps: [],
  };
  if (human === undefined) problems.add("human", "is required");
  // The schema reports a missing organization.
  const none: Problems = { add() {} };
  return {
    org: checkOrgName(org ?? { name: "" }, org ? within("org") : none),
    human: checkImportHumanUser(given, human ? within("human") : none),
    roles: roles.length > 0 ? checkMember("org")({ userId: "", roles }, problems).roles : ["ORG_OWNER"],
  };
}

export interface SetUpOrgParts extends Omit<ImportHumanUserParts, "runTogether"> {
  readonly db: Database;
}

/**
 * Adds an organization with its first user, who has roles in it (docs/api.md), in one statement. The user gets the
 * messages of an import.
 *
 * @throws SignetError ORG_NAME_TAKEN, PERMISSION_DENIED for a role with a permission that the caller lacks on the
 *   instance, or for a failure of the database.
 */
export async function setUpOrg(
  { db, ...parts }: SetUpOrgParts,
  { org: { name }, human, roles }: OrgToSetUp,
  call: Call,
): Promise<Changed & { readonly orgId: string; readonly userId: string }> {
  throwIfAboveOwn(roles, { kind: "instance", id: call.instanceId }, call);
  const orgId = createId();
  const { command, issued } = await prepareHuman(parts, human, { ...call, orgId });
  const { aggregateId: userId, now } = command;
  const events: NewEvent[] = [
    { type: "org.added", payload: { name } },
    ...roles.map((role) => ({ type: "org.member.added", payload: { userId, userOrgId: orgId, role } }) as const),
  ];
  const values = {
    ownerId: orgId,
    aggregateId: orgId,
    editorId: call.userId,
    name,
    nameKey: userNameKey(name),
    now,
    events: eventsToJson(events),
    commands: `[${HUMAN_COMMANDS.toJson(command)}]`,
    roles: [...roles],
  };
  const created = { orgId, userId };
  const [row] = await insertOrg(db, values, call, created);
  if (row === undefined) throw new Error("an insert returned no row");
  parts.outbox.announce(issued);
  return { ...created, ...toChanged(row, orgId) };
}

interface InsertOrg extends EventValues {
  name: string;
  nameKey: string;
  /** The user, as a list of one command. */
  commands: string;
  roles: string[];
}

/** The parts name the row that they read `changed`. */
const ofUser = columnsOf<OutboxValues>("changed");

/** Foreign keys are checked at the end of the statement, so the parts may run in any order. */
/** A new organization has no other users. */
const NO_COLLISIONS = sql<object>`(select null::integer as number, null::text as field where false)`;

const insertOrg = prepareWrite<InsertOrg, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("org", (query) =>
        query
          .insertInto("orgs")
          .values({
            id: param("aggregateId", "uuid"),
            name: param("name", "text"),
            name_key: param("nameKey", "text"),
            ...createdColumns(param),
          })
          .returning(["id", "sequence", "created_at", "changed_at"]),
      )
      .with("org_appended", () => appendEvents(param, "org"))
      .with("given", () => HUMAN_COMMANDS.rows(param("commands", "jsonb")))
      .with("collided", () => NO_COLLISIONS)
      .with("created", () => insertUsers("short"))
      .with("written", () => WRITTEN)
      .with("found_by", () => storeVerifiedPhones(VERIFIED_PHONES))
      .with("appended", () => appendEvents(ofUser, "written"))
      .with("coded", () => insertCodes(ofUser, "written"))
      .with("queued", () => queueMessages(ofUser, "written"))
      .with(
        "joined",
        () => sql<object>`(
          insert into members (user_org_id, user_id, scope_id, role, created_at, sequence, changed_at)
          select written."ownerId", written."aggregateId", org.id, role, org.created_at, org.sequence, org.changed_at
          from written cross join org cross join unnest(${param("roles", "text[]")}) as role)`,
      )
      .with("result", (query) => query.selectFrom("org").select(["sequence", "created_at", "changed_at"])),
  ),
);
