import type { RemoveUserParts } from "../../users/change/remove-user.ts";
import { removeUser } from "../../users/change/remove-user.ts";
import type { UserSortKey } from "../../users/read/user-columns.ts";
import { readResource, type Values } from "../protocol/attributes.ts";
import { applyPatch } from "../protocol/patch.ts";
import { type Projection, project } from "../protocol/project.ts";
import type { ScimQuery } from "../protocol/read-query.ts";
import { ScimError, type ScimResponse } from "../protocol/scim-error.ts";
import type { ScimCall } from "../scim-call.ts";
import { readUser } from "./read-user.ts";
import { findUser, findUsers, pageAt, type StoredUser } from "./stored-user.ts";
import { toAttributes, toUserResource, toVersion } from "./to-user-resource.ts";
import { TEXTS, toUserCondition } from "./user-filter.ts";
import { READ_SCHEMAS } from "./user-schemas.ts";
import { changeUser, createUser, type WriteUserParts } from "./write-user.ts";

export type UserParts = WriteUserParts & RemoveUserParts & { readonly baseUrl: string };

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
  return respond(parts, user, projection, 201);
}

/** As `postUser`, for a response with only the place of the user, who need not be read for it. */
export async function addUser(parts: UserParts, body: Values, call: ScimCall): Promise<ScimResponse> {
  const id = await createUser(parts, readUser(readResource(body, READ_SCHEMAS)), call);
  return { status: 201, body: { id, meta: { location: `${parts.baseUrl}/Users/${id}` } } };
}

/** RFC 7644, section 3.4.1. */
export async function getUser(parts: UserParts, request: UserRequest, call: ScimCall): Promise<ScimResponse> {
  const user = await findOne(parts, request, call);
  const version = toVersion(user.row);
  if (request.ifNoneMatch !== undefined && hasVersion(request.ifNoneMatch, version)) {
    return { status: 304, headers: ["etag", version] };
  }
  return respond(parts, user, request.projection, 200);
}

/** RFC 7644, section 3.5.1. What is left out has no value afterwards, except the address and `active`. */
export async function putUser(parts: UserParts, request: UserRequest, body: Values, call: ScimCall) {
  const stored = await findToChange(parts, request, call);
  const user = await changeUser(parts, stored, readUser(readResource(body, READ_SCHEMAS)), call);
  return respond(parts, user, request.projection, 200);
}

/** RFC 7644, section 3.5.2. */
export async function patchUser(parts: UserParts, request: UserRequest, body: Values, call: ScimCall) {
  const stored = await findToChange(parts, request, call);
  const attributes = applyPatch(toAttributes(stored), body, READ_SCHEMAS);
  const user = await changeUser(parts, stored, readUser(attributes), call);
  return respond(parts, user, request.projection, 200);
}

/** RFC 7644, section 3.6. */
export async function deleteUser(parts: UserParts, request: UserRequest, call: ScimCall): Promise<ScimResponse> {
  const { row } = await findToChange(parts, request, call);
  await removeUser(parts, { id: row.id }, call);
  return { status: 204 };
}

/** RFC 7644, section 3.4.2. Of more than 10,000 users, `totalResults` says only that there are more. */
export async function listScimUsers(parts: UserParts, query: ScimQuery, call: ScimCall): Promise<ScimResponse> {
  const { filter, startIndex, count, sortBy, isDescending } = query;
  const offset = startIndex - 1;
  const page = pageAt(offset, Math.max(count, 1));
  const { details, users } = await findUsers(
    parts,
    {
      page: { ...page, query: { ...page.query, ascending: !isDescending } },
      conditions: filter === undefined ? [] : [toUserCondition(filter)],
      sortKey: toSortKey(sortBy),
      idpId: call.connection.idpId,
    },
    call,
  );
  const shown = users.slice(0, count);
  const least = offset + users.length + (details.nextPageToken === "" ? 0 : 1);
  const resources = shown.map((user) => project(toUserResource(user, parts.baseUrl), query));
  return toListResponse(resources, { startIndex, total: Math.max(Number(details.totalResult), users.length && least) });
}

export function toListResponse(
  resources: readonly Values[],
  { startIndex, total }: { readonly startIndex: number; readonly total: number },
): ScimResponse {
  const body = {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
  return { status: 200, body };
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

function respond(parts: UserParts, user: StoredUser, projection: Projection, status: number): ScimResponse {
  const resource = toUserResource(user, parts.baseUrl);
  const headers = ["etag", toVersion(user.row), "location", `${parts.baseUrl}/Users/${user.row.id}`];
  return { status, headers, body: project(resource, projection) };
}
