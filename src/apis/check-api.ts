import { isId } from "../crypto/secrets.ts";
import { addProblem, type Problems } from "../errors.ts";
import type { ApiPayload } from "../events/catalogue.ts";
import { describeNameProblem } from "../fields/name.ts";
import { describeScopeProblem, uniqueScopes } from "../fields/scopes.ts";
import { trimText } from "../fields/trim-text.ts";

export interface NewApi extends ApiPayload {
  readonly identifier: string;
}

/** Checks the rules of AddAPIRequest that the schema cannot express. */
export function checkNewApi<Request extends NewApi>(request: Request, problems: Problems): Request {
  const { identifier } = request;
  addProblem(problems, "identifier", identifier === "" ? undefined : describeResourceIndicatorProblem(identifier));
  return checkApi(request, problems);
}

/** Checks the rules of UpdateAPIRequest that the schema cannot express. */
export function checkApi<Request extends ApiPayload>(request: Request, problems: Problems): Request {
  const name = trimText(request.name);
  addProblem(problems, "name", request.name === "" ? undefined : describeNameProblem(name));
  for (const [index, scope] of request.scopes.entries()) {
    addProblem(problems, `scopes[${index}]`, scope !== "" && describeApiScopeProblem(scope));
  }
  for (const [index, id] of request.introspectorAppIds.entries()) {
    if (id !== "" && !isId(id)) problems.add(`introspectorAppIds[${index}]`, INTROSPECTOR_RULE);
  }
  const introspectorAppIds = request.introspectorAppIds.map((id) => id.toLowerCase());
  return {
    ...request,
    name,
    scopes: uniqueScopes(request.scopes),
    introspectorAppIds: [...new Set(introspectorAppIds)],
  };
}

export const INTROSPECTOR_RULE = "must be the id of an application of the organization";

/** A token for an API must not look like one for userinfo or for the RPCs. */
function describeApiScopeProblem(scope: string): string | undefined {
  if (describeScopeProblem(scope) !== undefined) {
    return 'must be one scope: printable ASCII characters without spaces, " and \\ (RFC 6749, section 3.3)';
  }
  const isReserved = OPENID_SCOPES.has(scope) || scope.startsWith("urn:signet:");
  return isReserved ? "must not be a scope of OpenID Connect, or begin with urn:signet:" : undefined;
}

/** OpenID Connect Core 1.0, sections 3.1.2.1, 5.4 and 11. */
const OPENID_SCOPES: ReadonlySet<string> = new Set([
  "openid",
  "profile",
  "email",
  "address",
  "phone",
  "offline_access",
]);

/**
 * Describes what is wrong with a resource indicator (RFC 8707, section 2), as the end of a sentence about it; undefined
 * if it is accepted: an absolute URI without a fragment. Indicators are compared character by character.
 */
function describeResourceIndicatorProblem(text: string): string | undefined {
  const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (url === null) return "must be an absolute URI of ASCII characters such as https://api.example.com/orders";
  if (text.includes("#")) return "must not have a fragment";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  return undefined;
}
