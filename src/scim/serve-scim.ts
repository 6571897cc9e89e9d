import { SignetError } from "../errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { GROUP_SCHEMAS } from "./groups/group-schemas.ts";
import { deleteGroup, getGroup, listGroups, patchGroup, postGroup, putGroup } from "./groups/serve-groups.ts";
import type { Values } from "./protocol/attributes.ts";
import { toListResponse } from "./protocol/list-page.ts";
import { type Projection, project } from "./protocol/project.ts";
import { readJson, readQuery, readSearch, type ScimQuery } from "./protocol/read-query.ts";
import { ScimError, type ScimResponse, toErrorResponse } from "./protocol/scim-error.ts";
import { toResourceType, toSchemaResource, toServiceProviderConfig } from "./protocol/service-documents.ts";
import { tryOut } from "./run-in-transaction.ts";
import type { ScimCall } from "./scim-call.ts";
import { type BulkOperation, MOST_BULK_OPERATIONS, serveBulk } from "./serve-bulk.ts";
import type { UserParts } from "./user-parts.ts";
import {
  addUser,
  deleteUser,
  getUser,
  listScimUsers,
  patchUser,
  postUser,
  putUser,
  type UserRequest,
} from "./users/serve-users.ts";
import { USER_SCHEMAS } from "./users/user-schemas.ts";

/** A body has at most 50 users, or the members of a group. */
export const MAX_BODY_BYTES = 256 * 1_024;

/** A request of a directory. */
interface ScimRequest extends Pick<Exchange, "method" | "query"> {
  /** The decoded segments of the path below `/scim/v2/`. */
  readonly segments: readonly string[];
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** The body; empty if there is none. */
  readonly body: Buffer;
  /** Whether it is an operation of a bulk request, whose response only locates the resource. */
  readonly isOperation?: boolean;
}

export type ScimParts = UserParts;

type Methods = Readonly<Record<string, () => ScimResponse | Promise<ScimResponse>>>;

/** Whether a request changes something. */
export function isChange({ method, segments }: Pick<ScimRequest, "method" | "segments">): boolean {
  return method !== "GET" && !segments.includes(".search");
}

/**
 * Responds to a request of a directory. In a trial, changes nothing, and responds as if it had.
 *
 * @throws ScimError or SignetError.
 */
export async function serveScim(parts: ScimParts, request: ScimRequest, call: ScimCall): Promise<ScimResponse> {
  // Each operation of a bulk request is tried by itself.
  const isTried = call.connection.isTrial && isChange(request) && request.segments[0] !== "Bulk";
  if (isTried) return await tryOut(parts, call, async (own) => await serve(own, request, call));
  return await serve(parts, request, call);
}

async function serve(parts: ScimParts, request: ScimRequest, call: ScimCall): Promise<ScimResponse> {
  const methods = methodsAt(parts, request, call);
  if (methods === undefined) throw new SignetError("PATH_NOT_FOUND", "nothing is at this path");
  const run = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (run !== undefined) return await run();
  const allow = Object.keys(methods).join(", ");
  const error = new ScimError(405, undefined, `this path allows ${allow}`);
  return { ...toErrorResponse(error), headers: ["allow", allow] };
}

function methodsAt(parts: ScimParts, request: ScimRequest, call: ScimCall): Methods | undefined {
  const [place = "", id] = request.segments;
  if (request.segments.length > 2) return undefined;
  switch (place) {
    case "Users":
      return id === undefined || id === ".search"
        ? userList(parts, request, call, id)
        : oneUser(parts, request, call, id);
    case "Groups":
      return id === undefined || id === ".search"
        ? groupList(parts, request, call, id)
        : oneGroup(parts, request, call, id);
    case "Bulk":
      if (id !== undefined) return undefined;
      return {
        POST: async () => {
          const shared = { ...call, coveredDomains: new Map() };
          const run = (operation: BulkOperation) => runOne(parts, operation, shared);
          return await serveBulk(readJson(request.body), run, call.connection);
        },
      };
    case ".search":
      return { POST: async () => await listScimUsers(parts, readSearch(readJson(request.body)), call) };
    case "Me":
      throw new ScimError(501, undefined, "a token of a connection belongs to no user");
    default:
      return documentsAt(parts, request, place, id);
  }
}

/** An operation of a bulk request, as a request. Its response has no attributes besides those that locate the resource. */
async function runOne(parts: ScimParts, operation: BulkOperation, call: ScimCall): Promise<ScimResponse> {
  const { method, segments, version: ifMatch, data } = operation;
  // A list is no operation of a bulk request.
  if (method === "GET" || segments.includes(".search"))
    throw new ScimError(405, undefined, "method: must change something");
  const body = Buffer.from(JSON.stringify(data));
  return await serveScim(
    parts,
    { method, segments, query: "attributes=id", ifMatch, ifNoneMatch: undefined, body, isOperation: true },
    call,
  );
}

function userList(parts: ScimParts, request: ScimRequest, call: ScimCall, id: string | undefined): Methods {
  if (id !== undefined)
    return { POST: async () => await listScimUsers(parts, readSearch(readJson(request.body)), call) };
  return {
    GET: async () => await listScimUsers(parts, readQuery(request.query), call),
    POST: async () => {
      const body = readJson(request.body);
      if (request.isOperation) return await addUser(parts, body, call);
      return await postUser(parts, body, readQuery(request.query), call);
    },
  };
}

function oneUser(parts: ScimParts, request: ScimRequest, call: ScimCall, id: string): Methods {
  const { ifMatch, ifNoneMatch } = request;
  const asked = (): UserRequest => ({ id, ifMatch, ifNoneMatch, projection: readQuery(request.query) });
  const body = () => readJson(request.body);
  return {
    GET: async () => await getUser(parts, asked(), call),
    PUT: async () => await putUser(parts, asked(), body(), call),
    PATCH: async () => await patchUser(parts, asked(), body(), call),
    DELETE: async () => await deleteUser(parts, asked(), call),
  };
}

function groupList(parts: ScimParts, request: ScimRequest, call: ScimCall, id: string | undefined): Methods {
  if (id !== undefined) return { POST: async () => await listGroups(parts, readSearch(readJson(request.body)), call) };
  return {
    GET: async () => await listGroups(parts, readQuery(request.query), call),
    POST: async () => await postGroup(parts, readJson(request.body), readQuery(request.query), call),
  };
}

function oneGroup(parts: ScimParts, request: ScimRequest, call: ScimCall, id: string): Methods {
  const projection = () => readQuery(request.query);
  const body = () => readJson(request.body);
  return {
    GET: async () => await getGroup(parts, id, projection(), call),
    PUT: async () => await putGroup(parts, { id, body: body(), projection: projection() }, call),
    PATCH: async () => await patchGroup(parts, id, body(), call),
    DELETE: async () => await deleteGroup(parts, id, call),
  };
}

/** The documents about the service (RFC 7644, section 4). */
function documentsAt(
  { baseUrl }: ScimParts,
  request: ScimRequest,
  place: string,
  id: string | undefined,
): Methods | undefined {
  if (place === "ServiceProviderConfig" && id === undefined) {
    return {
      GET: () =>
        toDocument(
          toServiceProviderConfig(baseUrl, { operations: MOST_BULK_OPERATIONS, bytes: MAX_BODY_BYTES }),
          readQuery(request.query),
        ),
    };
  }
  const documents = new Map([
    ["ResourceTypes", RESOURCE_TYPES.map((type) => toResourceType(type, baseUrl))],
    ["Schemas", RESOURCE_TYPES.flatMap(({ schemas }) => schemas).map((schema) => toSchemaResource(schema, baseUrl))],
  ]).get(place);
  if (documents === undefined) return undefined;
  if (id === undefined) return { GET: () => listDocuments(documents, readQuery(request.query)) };
  const found = documents.find((document) => document.id === id);
  return found && { GET: () => toDocument(found, readQuery(request.query)) };
}

const RESOURCE_TYPES = [
  { name: "User", endpoint: "/Users", schemas: USER_SCHEMAS },
  { name: "Group", endpoint: "/Groups", schemas: GROUP_SCHEMAS },
] as const;

function toDocument(document: Values, projection: Projection): ScimResponse {
  return { status: 200, body: project(document, projection) };
}

/** These lists ignore pages, and have no filters (RFC 7644, section 4). */
function listDocuments(documents: readonly Values[], query: ScimQuery): ScimResponse {
  if (query.filter !== undefined) throw new ScimError(403, undefined, "this list has no filters");
  return toListResponse(documents, { startIndex: 1, total: documents.length });
}
