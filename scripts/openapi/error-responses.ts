import { type DescMethod, getOption, type JsonObject } from "@bufbuild/protobuf";
import { read_only } from "../../gen/signet/v1/options_pb.js";
import { type ErrorCode, REASONS, type Reason, SignetError } from "../../src/errors.ts";
import { CODES, toErrorResponse } from "../../src/http/error-object.ts";
import { paragraphsOf } from "./comments.ts";

/** Matches the errors that a comment of a method or service lists. */
export const ERRORS = /^Errors: |^Every method can also fail with /;

/** Errors of requests that do not reach a method. */
const BEFORE_CALL: readonly Reason[] = ["TOO_MANY_REQUESTS"];
const OF_BODIES: readonly Reason[] = ["BODY_TOO_LARGE", "CONTENT_TYPE_UNSUPPORTED"];
const OF_KEYS: readonly Reason[] = ["IDEMPOTENCY_KEY_REUSED"];

/** The error responses of a method by HTTP status, as named in its comment and its service's comment. */
export function errorResponses(method: DescMethod, hasBody: boolean): Record<string, JsonObject> {
  const byStatus = new Map<number, Set<Reason>>();
  const others = [...BEFORE_CALL, ...(hasBody ? OF_BODIES : []), ...(takesKey(method) ? OF_KEYS : [])];
  for (const reason of [...reasonsOf(method), ...others]) {
    const { status } = toErrorResponse(new SignetError(reason, ""));
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(reason));
  }
  const responses = [...byStatus].sort(([a], [b]) => a - b).map(([status, reasons]) => [status, toResponse(reasons)]);
  return { ...Object.fromEntries(responses), default: { $ref: "#/components/responses/Error" } };
}

/** Whether calls of a method accept an idempotency key: those that change data. */
export function takesKey(method: DescMethod): boolean {
  return !getOption(method, read_only);
}

function toResponse(reasons: ReadonlySet<Reason>): JsonObject {
  const examples = [...reasons].map((reason) => [reason, { $ref: `#/components/examples/${reason}` }]);
  const isOf = (...codes: ErrorCode[]) => [...reasons].some((reason) => codes.includes(REASONS[reason]));
  return {
    description: [...reasons].map((reason) => `\`${reason}\``).join(", "),
    headers: {
      "x-request-id": { $ref: "#/components/headers/x-request-id" },
      ...(isOf("unauthenticated") && { "www-authenticate": { $ref: "#/components/headers/www-authenticate" } }),
      ...(isOf("unavailable", "resource_exhausted") && { "retry-after": { $ref: "#/components/headers/retry-after" } }),
    },
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples: Object.fromEntries(examples) },
    },
  };
}

/**
 * An example of each error that responses refer to.
 *
 * @param used Reasons.
 */
export function errorExamples(used: ReadonlySet<string>): Record<string, JsonObject> {
  const reasons = (Object.keys(REASONS) as Reason[]).filter((reason) => used.has(reason));
  return Object.fromEntries(reasons.map((reason) => [reason, { value: exampleOf(reason) }]));
}

function exampleOf(reason: Reason): JsonObject {
  const violations =
    reason === "INVALID_ARGUMENT" ? [{ field: "profile.firstName", description: "must have 1 to 200 characters" }] : [];
  const error = new SignetError(reason, MESSAGES[reason] ?? reason.toLowerCase().replaceAll("_", " "), { violations });
  return JSON.parse(toErrorResponse(error).body.toString());
}

const MESSAGES: Partial<Record<Reason, string>> = {
  INVALID_ARGUMENT: "profile.firstName: must have 1 to 200 characters",
};

/** `NOT_FOUND (ORG_NOT_FOUND, USER_NOT_FOUND)`: a code, with its reasons if they differ from its name. */
function reasonsOf(method: DescMethod): Reason[] {
  const texts = [...paragraphsOf(method), ...paragraphsOf(method.parent)].filter((text) => ERRORS.test(text));
  return texts.flatMap((text) =>
    [...text.matchAll(/\b([A-Z_]{4,})\b(?: \(([^)]*)\))?/g)].flatMap(([, code = "", reasons]) => {
      if (!Object.hasOwn(CODES, code.toLowerCase() as ErrorCode)) return [];
      return (reasons?.match(/\b[A-Z_]{4,}\b/g) ?? [code]).map((reason) => toReason(reason, method));
    }),
  );
}

function toReason(text: string, method: DescMethod): Reason {
  if (!Object.hasOwn(REASONS, text)) throw new Error(`the comments of ${method} name an unknown reason: ${text}`);
  return text as Reason;
}
