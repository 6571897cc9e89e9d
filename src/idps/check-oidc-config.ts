import type { Problems } from "../errors.ts";
import type { OidcConfigPayload } from "../events/catalogue.ts";
import { describeIssuerProblem } from "../fields/issuer.ts";
import { checkScopes } from "./check-scopes.ts";

/** The fields that all requests with an OpenID Connect configuration have. */
export interface OidcConfigRequest {
  readonly clientId: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly displayNameMapping: number;
  readonly usernameMapping: number;
}

/**
 * Checks the rules that the schema cannot express. They are the same for the instance and for organizations, and for
 * new and changed providers.
 */
export function checkOidcConfig(request: OidcConfigRequest, problems: Problems): OidcConfigPayload {
  const { clientId, displayNameMapping, usernameMapping } = request;
  const issuer = request.issuer.trim();
  const issuerProblem = describeIssuerProblem(issuer);
  if (issuerProblem !== undefined) problems.add("issuer", issuerProblem);
  return { clientId, issuer, scopes: checkScopes(request.scopes, problems), displayNameMapping, usernameMapping };
}
