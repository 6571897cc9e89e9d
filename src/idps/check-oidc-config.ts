import type { AddOIDCIDPRequest } from "../../gen/signet/v1/admin_pb.js";
import type { Problems } from "../errors.ts";
import type { OidcConfigPayload } from "../events/catalogue.ts";
import { describeIssuerProblem } from "../fields/issuer.ts";
import { describeScopeProblem, uniqueScopes } from "../fields/scopes.ts";

/** The fields that all requests with an OpenID Connect configuration have. */
type OidcConfigFields = Pick<
  AddOIDCIDPRequest,
  "clientId" | "issuer" | "scopes" | "displayNameMapping" | "usernameMapping"
>;

/**
 * Checks the rules that the schema cannot express. They are the same for the instance and for organizations, and for
 * new and changed providers.
 */
export function checkOidcConfig(request: OidcConfigFields, problems: Problems): OidcConfigPayload {
  const { clientId, issuer, scopes, displayNameMapping, usernameMapping } = request;
  const issuerProblem = describeIssuerProblem(issuer);
  if (issuerProblem !== undefined) problems.add("issuer", issuerProblem);
  for (const [index, scope] of scopes.entries()) {
    const problem = describeScopeProblem(scope);
    if (problem !== undefined) problems.add(`scopes[${index}]`, problem);
  }
  return { clientId, issuer, scopes: uniqueScopes(scopes), displayNameMapping, usernameMapping };
}
