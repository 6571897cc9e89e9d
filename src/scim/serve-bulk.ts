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

/**
 * Runs the operations of a bulk request (RFC 7644, section 3.7) one after another, as requests of their own.
 *
 * @param run Responds to an operation.
 * @throws ScimError; errors of `run` other than SignetError and ScimError.
 */
export async function serveBulk(
  body: Values,
  run: (operation: BulkOperation) => Promise<ScimResponse>,
): Promise<ScimResponse> {
  const { Operations: operations, failOnErrors } = body;
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, "invalidSyntax", "Operations: must be a list of operations");
  }
  if (operations.length > MOST_BULK_OPERATIONS) {
    throw new ScimError(413, "tooMany", `Operations: has more than ${MOST_BULK_OPERATIONS} operations`);
  }
  const most = typeof failOnErrors === "number" && failOnErrors > 0 ? failOnErrors : Infinity;
  const ids = new Map<string, string>();
  const results: Values[] = [];
  const logged: NonNullable<ScimResponse["operations"]>[number][] = [];
  let errors = 0;
  for (const operation of operations) {
    if (errors >= most) break;
    if (!isValues(operation)) throw new ScimError(400, "invalidSyntax", "Operations: must contain objects");
    const { bulkId, method, path } = operation;
    const response = await respondTo(operation, ids, run);
    const { location, id } = locate(response);
    if (typeof bulkId === "string" && id !== undefined) ids.set(bulkId, id);
    if (response.status >= 400) errors++;
    logged.push({ method: toText(method).toUpperCase(), segments: toSegments(path, ids), response });
    results.push({
      method,
      ...(bulkId !== undefined && { bulkId }),
      ...((location ?? path) !== undefined && { location: location ?? path }),
      status: String(response.status),
      ...(response.status >= 400 && { response: response.body }),
    });
  }
  const schemas = ["urn:ietf:params:scim:api:messages:2.0:BulkResponse"];
  return { status: 200, body: { schemas, Operations: results }, operations: logged };
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
