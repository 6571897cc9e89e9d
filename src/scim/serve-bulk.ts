import { setImmediate } from "node:timers/promises";
import { SignetError } from "../errors.ts";
import { isValues, type Values } from "./protocol/attributes.ts";
import { invalidValue, ScimError, type ScimResponse, toErrorResponse } from "./protocol/scim-error.ts";

/** The operations of a bulk request. */
export const MOST_BULK_OPERATIONS = 50;

/** An operation of a bulk request. */
export interface BulkOperation {
  readonly method: string;
  readonly segments: readonly string[];
  readonly version: string | undefined;
  readonly data: Values;
}

/** How long operations are started before other requests get their turn. */
const TURN_MS = 3;

/**
 * Runs the operations of a bulk request (RFC 7644, section 3.7) one after another, as requests of their own. New users that
 * follow each other are created at the same time, so that they share statements.
 *
 * @param run Responds to an operation.
 * @param isTrial Whether each operation is a transaction of its own, so that two at the same time would share nothing.
 * @throws ScimError; errors of `run` other than SignetError and ScimError.
 */
export async function serveBulk(
  body: Values,
  run: (operation: BulkOperation) => Promise<ScimResponse>,
  { isTrial }: { readonly isTrial: boolean },
): Promise<ScimResponse> {
  const { Operations: operations, failOnErrors } = body;
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, "invalidSyntax", "Operations: must be a list of operations");
  }
  if (operations.length > MOST_BULK_OPERATIONS) {
    throw new ScimError(413, "tooMany", `Operations: has more than ${MOST_BULK_OPERATIONS} operations`);
  }
  if (!operations.every(isValues)) throw new ScimError(400, "invalidSyntax", "Operations: must contain objects");
  const most = typeof failOnErrors === "number" && failOnErrors > 0 ? failOnErrors : undefined;
  const ids = new Map<string, string>();
  const results: Values[] = [];
  const logged: NonNullable<ScimResponse["operations"]>[number][] = [];
  let errors = 0;
  while (results.length < operations.length && (most === undefined || errors < most)) {
    const rest = operations.slice(results.length);
    const count = most === undefined && !isTrial ? rest.findIndex((each) => !isIndependent(each)) : 0;
    const group = count < 0 ? rest : rest.slice(0, Math.max(count, 1));
    const responses = await respondToAll(group, ids, run);
    for (const [index, response] of responses.entries()) {
      if (response.status >= 400) errors++;
      const operation = group[index] ?? {};
      results.push(toResult(operation, response, ids));
      const method = toText(operation.method).toUpperCase();
      logged.push({ method, segments: toSegments(operation.path, ids), response });
    }
  }
  const schemas = ["urn:ietf:params:scim:api:messages:2.0:BulkResponse"];
  return { status: 200, body: { schemas, Operations: results }, operations: logged };
}

/** Whether an operation creates a user, and refers to no resource of the same request. */
function isIndependent({ method, path, data }: Values): boolean {
  const isNewUser = typeof method === "string" && method.toUpperCase() === "POST" && path === "/Users";
  return isNewUser && !JSON.stringify(data ?? "").includes("bulkId:");
}

/** Once all have a response, so that nothing runs on after the request. */
async function respondToAll(
  group: readonly Values[],
  ids: ReadonlyMap<string, string>,
  run: (operation: BulkOperation) => Promise<ScimResponse>,
): Promise<ScimResponse[]> {
  const running: Promise<ScimResponse>[] = [];
  let since = performance.now();
  for (const operation of group) {
    if (performance.now() - since > TURN_MS) {
      await setImmediate();
      since = performance.now();
    }
    const response = respondTo(operation, ids, run);
    response.catch(() => {});
    running.push(response);
  }
  await Promise.allSettled(running);
  return await Promise.all(running);
}

function toResult({ bulkId, method, path }: Values, response: ScimResponse, ids: Map<string, string>): Values {
  const { location, id } = locate(response);
  if (typeof bulkId === "string" && id !== undefined) ids.set(bulkId, id);
  return {
    method,
    ...(bulkId !== undefined && { bulkId }),
    ...((location ?? path) !== undefined && { location: location ?? path }),
    status: String(response.status),
    ...(response.status >= 400 && { response: response.body }),
  };
}

async function respondTo(
  { method, path, version, data }: Values,
  ids: ReadonlyMap<string, string>,
  run: (operation: BulkOperation) => Promise<ScimResponse>,
): Promise<ScimResponse> {
  try {
    if (typeof method !== "string" || typeof path !== "string") throw invalidValue("method, path: are required");
    const segments = toSegments(path, ids);
    const [place] = segments;
    if (place !== "Users" && place !== "Groups") throw invalidValue("path: must begin with /Users or /Groups");
    return await run({
      method: method.toUpperCase(),
      segments,
      version: typeof version === "string" ? version : undefined,
      data: isValues(data) ? (resolve(data, ids) as Values) : {},
    });
  } catch (error) {
    // A request that is over, or a fault of the service, ends all.
    const isOwn = error instanceof ScimError || (error instanceof SignetError && !FAULTS.has(error.code));
    if (!isOwn) throw error;
    return toErrorResponse(error);
  }
}

const FAULTS: ReadonlySet<string> = new Set(["internal", "unavailable", "deadline_exceeded"]);

function toSegments(path: unknown, ids: ReadonlyMap<string, string>): readonly string[] {
  return toText(resolve(toText(path), ids))
    .replace(/^\//, "")
    .split("/");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Replaces `bulkId:` references by the ids of resources that the request has created. */
function resolve(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  const text = JSON.stringify(value ?? "").replace(/bulkId:([\w-]+)/g, (reference, name) => ids.get(name) ?? reference);
  return JSON.parse(text);
}

function locate({ body }: ScimResponse): { readonly location: unknown; readonly id: string | undefined } {
  const resource = isValues(body) ? body : {};
  const location = isValues(resource.meta) ? resource.meta.location : undefined;
  return { location, id: typeof resource.id === "string" ? resource.id : undefined };
}
