import type { Reason, SignetError } from "../../errors.ts";
import { errorHeaders, httpStatusOf } from "../../http/error-object.ts";

/** RFC 7644, section 3.12, table 9. */
type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue"
  // RFC 9865, section 2.1.
  | "invalidCursor"
  | "expiredCursor"
  | "invalidCount"
  | "invalidVers";

/** An error of the protocol, which has no reason among those of calls. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail);
    this.name = "ScimError";
    this.status = status;
    this.scimType = scimType;
  }
}

export function invalidValue(detail: string): ScimError {
  return new ScimError(400, "invalidValue", detail);
}

/** A response, before it is written as JSON. */
export interface ScimResponse {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
  /** Undefined for no body. */
  readonly body?: object | undefined;
  /** What happened, for the log of the connection: by default, that something was found. */
  readonly outcome?: string;
  /** The user that it happened to, if the path does not name the user. */
  readonly userId?: string;
  /** The operations of a bulk request, which are logged in its place. */
  readonly operations?: readonly {
    readonly method: string;
    readonly segments: readonly string[];
    readonly response: ScimResponse;
  }[];
}

/** The response to a request that has failed (RFC 7644, section 3.12). */
export function toErrorResponse(error: SignetError | ScimError): ScimResponse {
  if (error instanceof ScimError) {
    const { status, scimType, message } = error;
    return { ...toResponse(status, scimType, message), outcome: scimType ?? "refused" };
  }
  const { code, reason, message } = error;
  // A conflict of two requests passes at once; 409 would mean a taken value.
  const status = code === "aborted" ? 503 : httpStatusOf(code, reason);
  const headers = code === "aborted" ? ["retry-after", "1"] : errorHeaders(error);
  return { ...toResponse(status, toScimType(status, reason), message), headers, outcome: reason };
}

function toResponse(status: number, scimType: ScimType | undefined, detail: string): ScimResponse {
  const body = {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail: detail.toWellFormed(),
  };
  return { status, body };
}

function toScimType(status: number, reason: Reason): ScimType | undefined {
  if (status === 409) return "uniqueness";
  if (reason === "PATH_NOT_FOUND") return undefined;
  return status === 400 ? "invalidValue" : undefined;
}
