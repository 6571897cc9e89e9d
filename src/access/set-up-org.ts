import type { Call } from "../call.ts";
import { createId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { createRunTogether } from "../database/run-together.ts";
import type { Problems } from "../errors.ts";
import { addObject, runChange } from "../events/change-object.ts";
import type { Changed } from "../events/object-details.ts";
import { userNameKey } from "../fields/user-name.ts";
import { checkOrgName, type OrgFields } from "../orgs/check-org-name.ts";
import type { Role } from "../roles.ts";
import {
  checkImportHumanUser,
  type HumanRequest,
  type HumanToImport,
} from "../users/import/check-import-human-user.ts";
import { type ImportHumanUserParts, prepareHuman } from "../users/import/import-human-user.ts";
import { INSERT_HUMAN_USER } from "../users/import/insert-human-users.ts";
import { checkMember, throwIfAboveOwn } from "./member-roles.ts";

/** The fields of SetUpOrgRequest. */
interface OrgToSetUpRequest {
  readonly org?: OrgFields | undefined;
  readonly human?:
    | Pick<HumanRequest, "userName" | "profile" | "email" | "phone" | "password" | "passwordChangeRequired">
    | undefined;
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
    passwordChangeRequired: false,
    ...human,
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

interface SetUpOrgParts extends Omit<ImportHumanUserParts, "runTogether"> {
  readonly db: Database;
}

/**
 * Adds an organization with its first user, who has roles in it (docs/reference/organizations.md). The user gets the
 * messages of an import.
 *
 * @throws SignetError ORG_NAME_TAKEN, PERMISSION_DENIED for a role with a permission that the caller lacks on the
 *   instance, or for a failure of the database.
 */
export async function setUpOrg(
  parts: SetUpOrgParts,
  { org: { name }, human, roles }: OrgToSetUp,
  call: Call,
): Promise<Changed & { readonly orgId: string; readonly userId: string }> {
  throwIfAboveOwn(roles, { kind: "instance", id: call.instanceId }, call);
  const orgId = createId();
  // Hashes the password, so before the transaction.
  const { command, issued } = await prepareHuman(parts, human, { ...call, orgId });
  const { aggregateId: userId } = command;
  const added = roles.map(
    (role) => ({ type: "org.member.added", payload: { userId, userOrgId: orgId, role } }) as const,
  );
  const result = await runChange(parts, call, async (change) => {
    const org = { id: orgId, name, name_key: userNameKey(name) };
    const { details } = await addObject(change, "orgs", org, [{ type: "org.added", payload: { name } }, ...added]);
    const user = await createRunTogether(change.db)(INSERT_HUMAN_USER, command);
    if (user === undefined || user.sequence === null)
      throw new Error("the user of a new organization was not inserted");
    const version = { sequence: details.sequence, created_at: details.changeDate, changed_at: details.changeDate };
    const member = { user_org_id: orgId, user_id: userId, scope_id: orgId, ...version };
    await change.db
      .insertInto("members")
      .values(roles.map((role) => ({ ...member, role })))
      .execute();
    return { orgId, userId, details };
  });
  parts.outbox.announce(issued);
  return result;
}
