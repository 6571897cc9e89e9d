import type { Kysely } from "kysely";
import { type Client, errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import type { Tables } from "../database/tables.ts";
import { findRequestedOrg, ORG_PARAMETER } from "./requested-org.ts";

/**
 * When a user has to sign in: under oidc-provider's own conditions (no session, `prompt`, `max_age`, `id_token_hint`,
 * …), or if the session's user is not an active user of the requested organization. Applications are trusted, so users
 * are never prompted for consent.
 */
export function createPolicy() {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  policy
    .get("login")
    ?.checks.add(
      new Check(
        "wrong_user",
        "the user of the session cannot sign in to the application",
        "login_required",
        ({ oidc }) =>
          oidc.account?.orgId === oidc.params?.[ORG_PARAMETER] ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  // The value remains allowed: clients send it with `offline_access` (OpenID Connect Core 1.0, section 11).
  policy.get("consent")?.checks.clear();
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  return policy;
}

/**
 * Checks an application's request after the provider's own checks, and before the user is prompted to sign in. Adds the
 * organization to the parameters.
 *
 * @throws InvalidScope if the request has no organization.
 */
export async function checkRequest(db: Kysely<Tables>, { query, oidc }: KoaContextWithOIDC): Promise<void> {
  const { client, params, route } = oidc;
  if (client === undefined || params === undefined) throw new Error("the provider has no client or parameters");
  const sent = route === "authorization" ? query.scope : oidc.body?.scope;
  const scope = typeof sent === "string" ? sent : "";
  const orgId = await findRequestedOrg(db, client, scope);
  if (orgId === undefined) {
    const description = "the scope names no organization whose users may sign in to the application";
    throw new errors.InvalidScope(description, scope);
  }
  params[ORG_PARAMETER] = orgId;
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
