import { sql } from "kysely";
import { changeAppRoles } from "../../apps/change-oidc-app.ts";
import { isId } from "../../crypto/secrets.ts";
import type { SortKey } from "../../database/list-page.ts";
import { SignetError } from "../../errors.ts";
import { toListDetails } from "../../fields/list-query.ts";
import { addUserAppRoles, removeUserAppRoles } from "../../users/app-roles/change-user-app-roles.ts";
import { isValues, MOST_MEMBERS, readResource, type Values } from "../protocol/attributes.ts";
import { expiredCursor, toListResponse, toPage } from "../protocol/list-page.ts";
import { type Filter, invalidFilter, parseFilter } from "../protocol/parse-filter.ts";
import { applyPatch, readOperations } from "../protocol/patch.ts";
import { type Projection, project } from "../protocol/project.ts";
import type { ScimQuery } from "../protocol/read-query.ts";
import { invalidValue, ScimError, type ScimResponse } from "../protocol/scim-error.ts";
import type { ScimCall } from "../scim-call.ts";
import type { UserParts } from "../user-parts.ts";
import { findUsers } from "../users/stored-user.ts";
import { toGroupId, toGroupName } from "../users/to-user-resource.ts";
import { GROUP, GROUP_SCHEMAS } from "./group-schemas.ts";
import { findGroup, findGroups, findGroupsOf, findMembers, type Group, type GroupMember } from "./stored-groups.ts";

/** RFC 7644, section 3.3: a new role of the connection's application. */
export async function postGroup(parts: UserParts, body: Values, projection: Projection, call: ScimCall) {
  const { displayName, members } = readResource(body, GROUP_SCHEMAS);
  if (typeof displayName !== "string") throw invalidValue("displayName: is required");
  const { groupAppId: appId } = call.connection;
  if (appId === null) {
    throw new ScimError(403, undefined, "the connection has no application whose roles new groups could become");
  }
  const role = toRole(displayName);
  const userIds = await toUserIds(parts, members, call);
  // The transaction would turn an error of the protocol into an internal one.
  const problems: ScimError[] = [];
  const toRoles = (roles: readonly string[]) => {
    problems.push(...describeRoleProblem(roles, role));
    return problems.length === 0 ? [...roles, role] : roles;
  };
  await changeAppRoles(parts, { appId, toRoles }, call);
  const [problem] = problems;
  if (problem !== undefined) throw problem;
  const group = await findGroup(parts, toGroupId({ appId, role }), call);
  await changeMembers(parts, group, { added: userIds, removed: [] }, call);
  const resource = await toResource(parts, group, projection, call);
  return { status: 201, headers: ["location", locationOf(parts, group)], body: resource, outcome: "added" };
}

function describeRoleProblem(roles: readonly string[], role: string): ScimError[] {
  if (roles.includes(role)) return [new ScimError(409, "uniqueness", `displayName: the role ${role} exists`)];
  if (roles.length < MOST_ROLES) return [];
  return [invalidValue(`the application has ${MOST_ROLES} roles, which is the maximum`)];
}

/** As in `UpdateOIDCAppConfig`. */
const MOST_ROLES = 50;
const LONGEST_ROLE = 100;

/** Names of roles have no spaces. */
function toRole(displayName: string): string {
  const role = displayName.trim().replace(/\s+/g, "-");
  if (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(role) && role.length <= LONGEST_ROLE) return role;
  throw invalidValue(`displayName: must have at most ${LONGEST_ROLE} printable ASCII characters, and no " and \\`);
}

/** RFC 7644, section 3.4.1. */
export async function getGroup(parts: UserParts, id: string, projection: Projection, call: ScimCall) {
  const group = await findGroup(parts, id, call);
  return { status: 200, body: await toResource(parts, group, projection, call) };
}

/** RFC 7644, section 3.5.1: replaces the members. */
export async function putGroup(
  parts: UserParts,
  { id, body, projection }: { readonly id: string; readonly body: Values; readonly projection: Projection },
  call: ScimCall,
): Promise<ScimResponse> {
  const group = await findGroup(parts, id, call);
  const outcome = await replaceMembers(parts, group, readResource(body, GROUP_SCHEMAS), call);
  return { status: 200, body: await toResource(parts, group, projection, call), outcome };
}

/** RFC 7644, section 3.5.2. Of a large group, only the members in the request are read. */
export async function patchGroup(parts: UserParts, id: string, body: Values, call: ScimCall): Promise<ScimResponse> {
  const group = await findGroup(parts, id, call);
  const stored = { displayName: toGroupName(group), members: await findMentioned(parts, group, body, call) };
  const wanted = applyPatch(stored, body, GROUP_SCHEMAS);
  return { status: 204, outcome: await replaceMembers(parts, group, wanted, call, stored.members) };
}

/** Removes the role, also from users, if it is one of the connection's application. */
export async function deleteGroup(parts: UserParts, id: string, call: ScimCall): Promise<ScimResponse> {
  const { appId, role } = await findGroup(parts, id, call);
  if (appId !== call.connection.groupAppId) {
    throw new ScimError(403, undefined, "the role is of another application than that of the connection");
  }
  await changeAppRoles(parts, { appId, toRoles: (roles) => roles.filter((each) => each !== role) }, call);
  return { status: 204, outcome: "removed" };
}

/** RFC 7644, section 3.4.2. */
export async function listGroups(parts: UserParts, query: ScimQuery, call: ScimCall): Promise<ScimResponse> {
  const all = await findGroups(parts, call);
  const filter = query.filter === undefined ? undefined : parseFilter(query.filter);
  const found = filter === undefined ? all : await filterGroups(parts, all, filter, call);
  const { rows: page, nextCursor } = pageOfGroups(found, query, call);
  const members = hasMembers(query) ? await findMembers(parts, page, call) : [];
  const resources = page.map((group) => project(toGroupResource(parts, group, members), query));
  const { cursor, startIndex } = query;
  return toListResponse(resources, {
    total: found.length,
    ...(cursor === undefined ? { startIndex } : { nextCursor }),
  });
}

function pageOfGroups(found: readonly Group[], query: ScimQuery, { orgId }: ScimCall) {
  const page = toPage(query, { place: "Groups", order: GROUP_ORDER, ownerId: orgId });
  const [lastId] = page.query.after ?? [];
  const last = found.findIndex((group) => toGroupId(group) === lastId);
  if (lastId !== undefined && last === -1) throw expiredCursor();
  const rest = found.slice(lastId === undefined ? page.query.offset : last + 1);
  const rows = rest.slice(0, query.count);
  const next = rows.at(-1);
  const after = next !== undefined && rows.length < rest.length ? [toGroupId(next)] : undefined;
  const { nextPageToken } = toListDetails(page, orgId, { rows, total: found.length, last: after }, new Date());
  return { rows, nextCursor: nextPageToken };
}

/** A cursor has the id of the last group, which is all that the list needs. */
const GROUP_ORDER: readonly SortKey[] = [{ value: sql`id`, type: "text" }];

async function filterGroups(parts: UserParts, groups: readonly Group[], filter: Filter, call: ScimCall) {
  const userIds = valuesOf(filter, MEMBERS).filter(isId);
  const memberships = userIds.length === 0 ? [] : await findGroupsOf(parts, userIds, call);
  return groups.filter((group) => isFound(group, filter));

  function isFound(group: Group, each: Filter): boolean {
    switch (each.kind) {
      case "and":
        return each.filters.every((inner) => isFound(group, inner));
      case "or":
        return each.filters.some((inner) => isFound(group, inner));
      case "not":
        return !isFound(group, each.filter);
      case "compare": {
        const { path, operator, value } = each;
        if (operator !== "eq" || typeof value !== "string") throw refuse();
        if (path === "id") return toGroupId(group) === value;
        if (MEMBERS.includes(path)) {
          const isMember = memberships.filter(({ groupId }) => groupId === toGroupId(group));
          return isMember.some(({ userId }) => userId === value.toLowerCase());
        }
        if (path === "displayname") return isNamed(group, value, call);
        throw refuse();
      }
      default:
        return each satisfies never;
    }
  }
}

const MEMBERS = ["members", "members.value"];

function refuse(): Error {
  return invalidFilter("groups are searched by displayName, id and members with eq; and by and, or, not");
}

/** A directory looks for a group that it has added by the name that it gave it. */
function isNamed(group: Group, name: string, { connection }: ScimCall): boolean {
  const isOwn = group.appId === connection.groupAppId;
  const names = isOwn ? [toGroupName(group), group.role] : [toGroupName(group)];
  const wanted = [name, ...(isOwn ? [name.trim().replace(/\s+/g, "-")] : [])].map((each) => each.toLowerCase());
  return names.some((each) => wanted.includes(each.toLowerCase()));
}

function valuesOf(filter: Filter, paths: readonly string[]): string[] {
  switch (filter.kind) {
    case "compare":
      return paths.includes(filter.path) && typeof filter.value === "string" ? [filter.value] : [];
    case "not":
      return valuesOf(filter.filter, paths);
    default:
      return filter.filters.flatMap((each) => valuesOf(each, paths));
  }
}

/**
 * The members of a group that a patch is about: only those that it names unless it replaces or removes all, because the group
 * can be large. Okta replaces the name with every change of members.
 */
async function findMentioned(parts: UserParts, group: Group, body: Values, call: ScimCall): Promise<Values[]> {
  const operations = readOperations(body);
  const isAboutAll = operations.some(({ kind, path, value }) => {
    const paths = path === undefined ? Object.keys(isValues(value) ? value : {}) : [path];
    return (
      (kind === "replace" || (kind === "remove" && value === undefined)) && paths.some((each) => /members$/i.test(each))
    );
  });
  const named = [...new Set(JSON.stringify(operations).toLowerCase().match(ID) ?? [])];
  if (isAboutAll || named.length > MOST_MEMBERS) {
    return (await findMembers(parts, [group], call)).map(({ userId }) => ({ value: userId }));
  }
  const found = named.length === 0 ? [] : await findGroupsOf(parts, named, call);
  return found.filter(({ groupId }) => groupId === toGroupId(group)).map(({ userId }) => ({ value: userId }));
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function replaceMembers(
  parts: UserParts,
  group: Group,
  { displayName, members }: Values,
  call: ScimCall,
  held?: readonly Values[],
): Promise<"changed" | "unchanged"> {
  if (typeof displayName === "string" && !isNamed(group, displayName, call)) {
    throw new ScimError(400, "mutability", "displayName: cannot be changed");
  }
  const wanted = new Set(await toUserIds(parts, members, call));
  const stored = new Set(
    held?.map(({ value }) => String(value)) ?? (await findMembers(parts, [group], call)).map(({ userId }) => userId),
  );
  const added = [...wanted].filter((id) => !stored.has(id));
  const removed = [...stored].filter((id) => !wanted.has(id));
  await changeMembers(parts, group, { added, removed }, call);
  return added.length + removed.length > 0 ? "changed" : "unchanged";
}

/** Users whose roles are changed at the same time, in one statement. */
const CHANGED_TOGETHER = 50;

/** Changes all members whom the connection may change, and then fails if there are others. */
async function changeMembers(
  parts: UserParts,
  { appId, role }: Group,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
  call: ScimCall,
): Promise<void> {
  const roles = [role];
  const changes = [
    ...added.map((userId) => () => addUserAppRoles(parts, { userId, appId, roles }, call)),
    ...removed.map((userId) => () => removeUserAppRoles(parts, { userId, appId, roles }, call)),
  ];
  const failures: unknown[] = [];
  for (let at = 0; at < changes.length; at += CHANGED_TOGETHER) {
    call.throwIfOver();
    const results = await Promise.allSettled(changes.slice(at, at + CHANGED_TOGETHER).map((change) => change()));
    failures.push(...results.flatMap((result) => (result.status === "rejected" ? [result.reason] : [])));
  }
  if (failures.length === 0) return;
  const other = failures.find((each) => !(each instanceof SignetError && each.reason === "PERMISSION_DENIED"));
  if (other !== undefined) throw other;
  throw new ScimError(
    403,
    undefined,
    `members: ${failures.length} of them have a role in the organization or the instance`,
  );
}

/** The ids of members, who must be human users of the organization. @throws ScimError invalidValue. */
async function toUserIds(parts: UserParts, members: unknown, call: ScimCall): Promise<string[]> {
  const values = ((members ?? []) as readonly Values[]).map(({ value }) => String(value).toLowerCase());
  const ids = [...new Set(values)];
  if (ids.length === 0) return [];
  if (ids.length > MOST_MEMBERS) throw invalidValue(`members: has more than ${MOST_MEMBERS} values`);
  const query = { offset: 0, limit: ids.length, ascending: true, after: undefined };
  const page = { query, ownerId: undefined, fingerprint: () => "" };
  const search = { page, conditions: [{ kind: "ids", ids } as const], idpId: null };
  const { users } = await findUsers(parts, search, call);
  if (users.length === ids.length) return ids;
  const unknown = ids.find((id) => !users.some(({ row }) => row.id === id));
  const which = unknown !== undefined && isId(unknown) ? `the id ${unknown}` : "one of the ids";
  throw invalidValue(`members: no user of the organization has ${which}`);
}

async function toResource(parts: UserParts, group: Group, projection: Projection, call: ScimCall): Promise<Values> {
  const members = hasMembers(projection) ? await findMembers(parts, [group], call) : [];
  return project(toGroupResource(parts, group, members), projection);
}

function hasMembers({ attributes, excludedAttributes }: Projection): boolean {
  const isMembers = (name: string) => /^(?:.*:)?members(?:\.|$)/i.test(name.trim());
  return attributes === undefined ? !(excludedAttributes ?? []).some(isMembers) : attributes.some(isMembers);
}

function toGroupResource(parts: UserParts, group: Group, members: readonly GroupMember[]): Values {
  const own = members.filter(({ appId, role }) => appId === group.appId && role === group.role);
  return {
    schemas: [GROUP],
    id: toGroupId(group),
    displayName: toGroupName(group),
    ...(own.length > 0 && {
      members: own.map(({ userId, displayName }) => ({ value: userId, display: displayName ?? "" })),
    }),
    meta: { resourceType: "Group", location: locationOf(parts, group) },
  };
}

function locationOf({ baseUrl }: UserParts, group: Group): string {
  return `${baseUrl}/Groups/${toGroupId(group)}`;
}
