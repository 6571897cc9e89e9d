import type { Kysely } from "kysely";
import { interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import type { Tables } from "../database/tables.ts";
import { requireRequestedOrg } from "./requested-org.ts";

/**
 * When a person has to sign in: as oidc-provider has it (no session, `prompt`, `max_age`, `id_token_hint`, …), and if
 * the session's user is not an active user of the requested organization. Applications are trusted, so nobody is asked
 * for consent.
 */
export function createPolicy(db: Kysely<Tables>) {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  policy.get("login")?.checks.add(
    new Check(
      "wrong_user",
      "the user of the session cannot sign in to the application",
      "login_required",
      async (ctx) => {
        const { account } = ctx.oidc;
        if (account === undefined) return Check.REQUEST_PROMPT;
        const org = await requireRequestedOrg(db, ctx);
        return account.orgId === org.id ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
      },
    ),
  );
  // The value remains allowed: clients send it with `offline_access` (OpenID Connect Core 1.0, section 11).
  policy.get("consent")?.checks.clear();
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  return policy;
}

/** Checks a request of an application after the provider has, and before anybody is asked to sign in. */
export async function checkRequest(db: Kysely<Tables>, ctx: KoaContextWithOIDC): Promise<void> {
  await requireRequestedOrg(db, ctx);
  keepOfflineAccess(ctx);
}

/**
 * Puts back `offline_access`, which oidc-provider removes without `prompt=consent`. OpenID Connect Core 1.0, section 11,
 * demands that prompt unless other conditions permit offline access: here that the application is trusted.
 */
function keepOfflineAccess({ method, query, oidc }: KoaContextWithOIDC): void {
  const { client, params, body } = oidc;
  const requested = (method === "POST" ? body?.scope : query.scope) ?? "";
  const isRequested = String(requested).split(" ").includes("offline_access");
  if (!isRequested || params === undefined || !client?.grantTypeAllowed("refresh_token")) return;
  const scopes = new Set(
    String(params.scope ?? "")
      .split(" ")
      .filter(Boolean),
  );
  params.scope = [...scopes.add("offline_access")].join(" ");
}
