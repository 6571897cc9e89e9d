import { type Client, errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { ACR_VALUES, requestedAcr, toAcr, weakestOf } from "./acr.ts";
import { checkApiScope, isOldSignInOfDevice } from "./api-access.ts";
import { describeClaimsProblem } from "./claims-problem.ts";
import { isDocumentId } from "./client-documents.ts";
import { orgIdOf } from "./clients.ts";
import { compareSubjects } from "./present-subjects.ts";
import { OLD_SIGN_IN, WEAK_SIGN_IN } from "./prompt-reasons.ts";
import { readSentScope } from "./request-objects.ts";
import { findRequestedOrg, OPEN_ORG, OPEN_ORG_PARAMETER, ORG_PARAMETER } from "./requested-org.ts";
import { findOwnerOfApi } from "./resources.ts";

/**
 * When a user has to sign in: under oidc-provider's own conditions (no session, `prompt`, `max_age`, `id_token_hint`,
 * …), if the session's user is not an active user of the requested organization, or if the sign-in is too old for a
 * device (see `isOldSignInOfDevice`). Applications are trusted, so users are never prompted for consent.
 */
export function createPolicy(clock: Clock) {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  const checks = policy.get("login")?.checks;
  if (checks === undefined) throw new Error("oidc-provider has no prompt login");
  compareSubjects(checks);
  // These ask forever if the sign-in does not become strong enough.
  for (const reason of ["essential_acr", "essential_acrs"]) checks.remove(reason);
  checks.add(
    new Check(WEAK_SIGN_IN, "the request requires a stronger sign-in", "unmet_authentication_requirements", (ctx) =>
      isTooWeak(ctx) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  );
  checks.add(
    new Check(
      "wrong_user",
      "the user of the session cannot sign in to the application",
      "login_required",
      // `createLoadGrant` has been called before, with `keepOrgOfUser`.
      ({ oidc }) =>
        oidc.account?.orgId === oidc.params?.[ORG_PARAMETER] ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
    ),
  );
  checks.add(
    new Check(OLD_SIGN_IN, "access to the API requires a recent sign-in", "login_required", (ctx) =>
      isOldSignInOfDevice(ctx, clock()) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  );
  // The value remains allowed: clients send it with `offline_access` (OpenID Connect Core 1.0, section 11).
  policy.get("consent")?.checks.clear();
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  return policy;
}

/**
 * Whether the sign-in of the session is too weak for the requested `acr`.
 *
 * @throws UnmetAuthenticationRequirements if an essential value is unknown, or not reached by the sign-in that just ended.
 */
function isTooWeak({ oidc }: KoaContextWithOIDC): boolean {
  const requested = requestedAcr(oidc.params ?? {});
  if (requested === undefined) return false;
  const weakest = weakestOf(requested);
  // A session of an earlier version has no `acr`.
  const reached = oidc.acr ?? toAcr(oidc.amr ?? []);
  const isMet = weakest !== undefined && ACR_VALUES.indexOf(reached) >= weakest;
  if (isMet) return false;
  if (weakest !== undefined && oidc.result?.login === undefined) return true;
  if (!requested.isEssential) return false;
  throw new errors.UnmetAuthenticationRequirements("the requested acr is not supported, or was not reached");
}

/**
 * Checks an application's request after the provider's own checks, and before the user is prompted to sign in. Adds the
 * organization to the parameters.
 *
 * @throws InvalidScope if the request has no organization, or asks for access to the RPCs that the application does not
 *   have. InvalidTarget if a client that is not registered does not ask for an API.
 */
export async function checkRequest(db: Database, ctx: KoaContextWithOIDC): Promise<void> {
  const { oidc } = ctx;
  const { client, params } = oidc;
  if (client === undefined || params === undefined) throw new Error("the provider has no client or parameters");
  checkApiScope(client, oidc.requestParamScopes);
  const scope = readSentScope(ctx);
  const own = isDocumentId(client.clientId) ? await findOwnerOfApi(db, params.resource) : orgIdOf(client);
  const org = await findRequestedOrg(db, own, scope);
  if (org === undefined) {
    const description = "the scope names no organization whose users may sign in to the application";
    throw new errors.InvalidScope(description, scope);
  }
  params[ORG_PARAMETER] = org.id;
  // Kept with the code of a device, until its user signs in.
  params[OPEN_ORG_PARAMETER] = org.isOpen ? OPEN_ORG : undefined;
  if (scope.split(" ").includes("offline_access")) keepOfflineAccess(client, params);
}

/**
 * Restores `offline_access`, which oidc-provider removes without `prompt=consent`. OpenID Connect Core 1.0, section 11,
 * requires that prompt unless other conditions permit offline access, in this case that the application is trusted.
 */
function keepOfflineAccess(client: Client, params: Record<string, unknown>): void {
  if (!client.grantTypeAllowed("refresh_token")) return;
  const scopes = String(params.scope ?? "").split(" ");
  params.scope = [...new Set([...scopes, "offline_access"])].filter(Boolean).join(" ");
}

/**
 * Checks the parameter `claims`, which is stored with the tokens.
 *
 * @throws InvalidRequest if it has a problem.
 */
export function checkClaims(claims: object): void {
  const problem = describeClaimsProblem(claims);
  if (problem !== undefined) throw new errors.InvalidRequest(`claims ${problem}`);
}
