import { retryWhenChanged } from "../../events/retry-when-changed.ts";
import { removeUser } from "../../users/change/remove-user.ts";
import { orderOfUsers, type UserSortKey } from "../../users/read/user-columns.ts";
import type { UserCondition } from "../../users/read/user-condition.ts";
import { readResource, type Values } from "../protocol/attributes.ts";
import { toListResponse, toPage } from "../protocol/list-page.ts";
import { applyPatch } from "../protocol/patch.ts";
import { type Projection, project } from "../protocol/project.ts";
import type { ScimQuery } from "../protocol/read-query.ts";
import { ScimError, type ScimResponse } from "../protocol/scim-error.ts";
import { runInTransaction } from "../run-in-transaction.ts";
import type { ScimCall } from "../scim-call.ts";
import type { UserParts } from "../user-parts.ts";
import { type GivenUser, readUser } from "./read-user.ts";
import { findUser, findUserByName, findUsers, type StoredUser } from "./stored-user.ts";
import { toAttributes, toUserResource, toVersion } from "./to-user-resource.ts";
import { TEXTS, toUserCondition } from "./user-filter.ts";
import { READ_SCHEMAS } from "./user-schemas.ts";
import { changeUser, createUser, holdVersion } from "./write-user.ts";

/** A request about one user. */
export interface UserRequest {
  readonly id: string;
  readonly projection: Projection;
  /** The headers `if-match` and `if-none-match`. */
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** RFC 7644, section 3.3. */
export async function postUser(parts: UserParts, body: Values, projection: Projection, call: ScimCall) {
  const id = await createUser(parts, readUser(readResource(body, READ_SCHEMAS)), call);
  const user = await findUser(parts, { id, idpId: call.connection.idpId }, call);
  return respond(parts, user, projection, { status: 201, outcome: "added", userId: id });
}

/** As `postUser`, for a response with only the place of the user, who need not be read for it. */
export async function addUser(parts: UserParts, body: Values, call: ScimCall): Promise<ScimResponse> {
  const id = await createUser(parts, readUser(readResource(body, READ_SCHEMAS)), call);
  return {
    status: 201,
    body: { id, meta: { location: `${parts.baseUrl}/Users/${id}` } },
    outcome: "added",
    userId: id,
  };
}

/** RFC 7644, section 3.4.1. */
export async function getUser(parts: UserParts, request: UserRequest, call: ScimCall): Promise<ScimResponse> {
  const user = await findOne(parts, request, call);
  const version = toVersion(user.row);
  if (request.ifNoneMatch !== undefined && hasVersion(request.ifNoneMatch, version)) {
    return { status: 304, headers: ["etag", version] };
  }
  return respond(parts, user, request.projection, { status: 200 });
}

/** RFC 7644, section 3.5.1. What is left out has no value afterwards, except the address and `active`. */
export async function putUser(parts: UserParts, request: UserRequest, body: Values, call: ScimCall) {
  return await change(parts, request, () => readUser(readResource(body, READ_SCHEMAS)), call);
}

/** RFC 7644, section 3.5.2. */
export async function patchUser(parts: UserParts, request: UserRequest, body: Values, call: ScimCall) {
  const toGiven = (stored: StoredUser) => readUser(applyPatch(toAttributes(stored), body, READ_SCHEMAS));
  return await change(parts, request, toGiven, call);
}

async function change(
  parts: UserParts,
  request: UserRequest,
  toGiven: (stored: StoredUser) => GivenUser,
  call: ScimCall,
): Promise<ScimResponse> {
  const { user, outcome } = await changeUser(parts, () => findToChange(parts, request, call), toGiven, call);
  return respond(parts, user, request.projection, { status: 200, outcome });
}

/** RFC 7644, section 3.6. */
export async function deleteUser(parts: UserParts, request: UserRequest, call: ScimCall): Promise<ScimResponse> {
  await retryWhenChanged(async () => {
    const user = await findToChange(parts, request, call);
    return await runInTransaction(parts, call, async (own) => {
      if (!(await holdVersion(own, user, call))) return undefined;
      return await removeUser(own, { id: user.row.id }, call);
    });
  });
  return { status: 204, outcome: "removed" };
}

/** RFC 7644, section 3.4.2. Of more than 10,000 users, `totalResults` says only that there are more. */
export async function listScimUsers(parts: UserParts, query: ScimQuery, call: ScimCall): Promise<ScimResponse> {
  const { filter, startIndex, count, cursor, sortBy } = query;
  const { idpId } = call.connection;
  const sortKey = toSortKey(sortBy);
  const conditions = filter === undefined ? [] : [toUserCondition(filter)];
  const toResources = (users: readonly StoredUser[]) =>
    users.slice(0, count).map((user) => project(toUserResource(user, parts.baseUrl), query));
  const userName = nameIn(conditions);
  if (userName !== undefined && cursor === undefined && startIndex === 1) {
    const user = await findUserByName(parts, { userName, idpId }, call);
    const users = user === undefined ? [] : [user];
    return toListResponse(toResources(users), { startIndex, total: users.length });
  }
  const page = toPage(query, { place: "Users", order: orderOfUsers(sortKey), ownerId: call.orgId });
  const { details, users } = await findUsers(parts, { page, conditions, sortKey, idpId }, call);
  const resources = toResources(users);
  const total = Number(details.totalResult);
  if (cursor !== undefined) return toListResponse(resources, { total, nextCursor: details.nextPageToken });
  const least = startIndex - 1 + users.length + (details.nextPageToken === "" ? 0 : 1);
  return toListResponse(resources, { startIndex, total: Math.max(total, users.length && least) });
}

/** The name, if a search is for the user with this name and nothing else. */
function nameIn([condition]: readonly UserCondition[]): string | undefined {
  const isName = condition?.kind === "text" && condition.field === "userName" && condition.match.part === "whole";
  return isName ? condition.text : undefined;
}

/** By path, in lower case. */
const SORT_KEYS: ReadonlyMap<string, UserSortKey> = new Map([
  ["id", "creation"],
  ["meta.created", "creation"],
  ...TEXTS,
]);

function toSortKey(sortBy: string | undefined): UserSortKey {
  const key = SORT_KEYS.get(sortBy?.toLowerCase() ?? "id");
  if (key !== undefined) return key;
  throw new ScimError(400, "invalidPath", `sortBy: must be one of ${[...SORT_KEYS.keys()].join(", ")}`);
}

async function findOne(parts: UserParts, { id }: UserRequest, { connection, ...call }: ScimCall): Promise<StoredUser> {
  return await findUser(parts, { id, idpId: connection.idpId }, call);
}

async function findToChange(parts: UserParts, request: UserRequest, call: ScimCall): Promise<StoredUser> {
  const user = await findOne(parts, request, call);
  if (request.ifMatch === undefined || hasVersion(request.ifMatch, toVersion(user.row))) return user;
  throw new ScimError(412, undefined, "the user has another version: read it again");
}

/** Versions are weak, and directories may leave out `W/`. */
function hasVersion(header: string, version: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => tag.trim() === "*" || plain(tag) === plain(version));
}

function respond(
  parts: UserParts,
  user: StoredUser,
  projection: Projection,
  outcome: Pick<ScimResponse, "status" | "outcome" | "userId">,
): ScimResponse {
  const resource = toUserResource(user, parts.baseUrl);
  const headers = ["etag", toVersion(user.row), "location", `${parts.baseUrl}/Users/${user.row.id}`];
  return { ...outcome, headers, body: project(resource, projection) };
}
