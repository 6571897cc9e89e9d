import { grantRole } from "../access/grant-role.ts";
import { listMembers } from "../access/list-members.ts";
import { revokeRoles } from "../access/revoke-roles.ts";
import { ConfigError } from "../config.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import type { Role } from "../roles.ts";
import { databaseCommand } from "./database-command.ts";
import { findScope } from "./find-scope.ts";
import { findUser, type UserOptions } from "./find-user.ts";
import { grantReviewed, reportPlacedCredentials } from "./placed-credentials.ts";
import { print, toRows, toTable } from "./print.ts";

interface MemberOptions extends UserOptions {
  /** Id or name of the organization in which the role applies; the user's own by default. */
  readonly in?: string;
}

interface AddMemberOptions extends MemberOptions {
  readonly role: Role;
  readonly endCredentials: boolean;
}

/** `signet member add`: grants a role to a user, in addition to existing roles. */
export const addMemberCommand = databaseCommand(async (db, options: AddMemberOptions, config) => {
  const { id, org_id: orgId, user_name: userName } = await findUser(db, options.user, options.org);
  const { role, endCredentials } = options;
  const scopeId = await findScope(db, role, options.in, orgId);
  const user = { id, orgId };
  const grant = () => grantRole({ db, clock: () => new Date() }, { user, role, scopeId });
  const credentials = await grantReviewed(config, db, { user, ends: endCredentials, grant });
  if (!options.json) reportPlacedCredentials(userName, credentials, endCredentials);
  print(options.json, { userId: id, orgId, role, scopeId, credentials }, [`${userName} has ${role}`]);
});

/** `signet member remove`: removes a role of a user, or all roles in an organization. */
export const removeMemberCommand = databaseCommand(async (db, options: MemberOptions & { readonly role?: Role }) => {
  const user = await findUser(db, options.user, options.org);
  const { role } = options;
  const inOrg = options.in ?? user.org_id;
  const scopeId = role ? await findScope(db, role, options.in, user.org_id) : (await findOrg(db, inOrg)).id;
  const roles = await revokeRoles({ db, clock: () => new Date() }, { userId: user.id, scopeId, role });
  if (roles === undefined) throw new ConfigError(`${user.user_name} has no such role`);
  const left = roles.length > 0 ? `${user.user_name} still has ${roles.join(", ")}` : `${user.user_name} has no role`;
  print(options.json, { userId: user.id, orgId: user.org_id, scopeId, roles }, [left]);
});

/** `signet member list`. */
export const listMembersCommand = databaseCommand(async (db, options: Pick<MemberOptions, "in" | "json">) => {
  const scopeId = options.in === undefined ? undefined : (await findOrg(db, options.in)).id;
  const members = await listMembers(db, scopeId);
  const shown = members.map((member) => ({ ...member, in: member.in ?? "(instance)" }));
  const rows = toRows(shown, "userId", "user", "org", "role", "in", "since");
  print(options.json, members, toTable(["ID", "USER", "ORG", "ROLE", "IN", "SINCE"], rows));
});
