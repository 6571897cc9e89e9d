import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import type { SealedParts } from "../crypto/sealed-values.ts";
import type { Database } from "../database/database.ts";
import { findIdpSignOut } from "../web/sign-in/provider/idp-sign-out.ts";
import { findAccountRow } from "./accounts.ts";
import type { SessionDetails } from "./session-details.ts";

type EndedSession = InstanceType<Provider["Session"]> & SessionDetails & { readonly destroyed?: boolean };

/** After a sign-out, the browser passes the identity provider that has confirmed the user, if its setting says so. */
export function federateLogout(parts: SealedParts & { readonly db: Database }) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const { route, session } = ctx.oidc ?? {};
    if (route !== "end_session" && route !== "end_session_confirm") return;
    // There is no session if it could not be looked up.
    const { accountId, idpId, destroyed } = (session ?? {}) as Partial<EndedSession>;
    if (destroyed !== true || accountId === undefined || idpId === undefined) return;
    const account = await findAccountRow(parts.db, accountId);
    const path =
      account && (await findIdpSignOut(parts, { idpId, orgId: account.orgId }, ctx.response.get("location")));
    if (path !== undefined) ctx.redirect(path);
  };
}
