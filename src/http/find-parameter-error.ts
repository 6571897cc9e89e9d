import { isUtf8 } from "node:buffer";
import { invalidArgument, type SignetError, type Violation } from "../errors.ts";

/**
 * The maximum number of parameters in a query or form. Some parsers take time quadratic in it: oidc-provider's took 1.6 s
 * for 7,500 repetitions of `a`, which fit into a head.
 */
const MAX_PARAMETERS = 100;

/**
 * Returns an error for a query or form (`application/x-www-form-urlencoded`) that has too many parameters, or one that
 * is not percent-encoded UTF-8 or contains NUL, which PostgreSQL cannot store.
 */
export function findParameterError(text: string): SignetError | undefined {
  const parameters = text.split("&", MAX_PARAMETERS + 1);
  if (parameters.length > MAX_PARAMETERS) {
    return invalidArgument({ field: "", description: `must not have more than ${MAX_PARAMETERS} parameters` });
  }
  const violations = parameters.flatMap(findViolation);
  return violations.length > 0 ? invalidArgument(...violations) : undefined;
}

/** The same for the bytes of a form. */
export function findFormError(body: Buffer): SignetError | undefined {
  return isUtf8(body)
    ? findParameterError(body.toString("utf8"))
    : invalidArgument({ field: "", description: NOT_UTF8 });
}

function findViolation(parameter: string): Violation[] {
  const decoded = decode(parameter);
  if (decoded !== undefined && !decoded.includes("\0")) return [];
  const name = decode(parameter.split("=", 1)[0] ?? "") ?? "";
  const field = /^[\w.-]{1,64}$/.test(name) ? name : "";
  return [{ field, description: decoded === undefined ? NOT_UTF8 : "must not contain NUL" }];
}

const NOT_UTF8 = "must be percent-encoded UTF-8";

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
