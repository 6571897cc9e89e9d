import type { Grant, KoaContextWithOIDC } from "oidc-provider";
import { CLAIMS } from "./accounts.ts";
import { GRANT_SECONDS } from "./lifetimes.ts";
import { ORG_PARAMETER } from "./requested-org.ts";

/**
 * Returns the session user's grant to the application, which includes everything that the application requests. There
 * is one grant per session and application, written only when something changes. A user of another organization gets
 * none.
 */
export async function loadGrant({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { account, client, session, provider, params, requestParamScopes, requestParamClaims } = oidc;
  if (account === undefined || client === undefined || session === undefined) return undefined;
  if (account.orgId !== params?.[ORG_PARAMETER]) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const found = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const isUsable = found?.accountId === account.accountId && found.clientId === client.clientId;
  const grant = isUsable ? found : new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  const before = JSON.stringify(grant.openid);
  // The grant may have more scopes and claims than this request; a token gets only the ones in its request.
  grant.addOIDCScope([...requestParamScopes].filter((scope) => scope !== "").join(" "));
  grant.addOIDCClaims([...requestParamClaims].filter((claim) => ALL_CLAIMS.has(claim)));
  const isOld = isUsable && grant.remainingTTL < GRANT_SECONDS.renewBelow;
  if (isOld) grant.exp = Math.floor(Date.now() / 1_000) + GRANT_SECONDS.lifetime;
  if (!isUsable || isOld || JSON.stringify(grant.openid) !== before) await grant.save();
  return grant;
}

const ALL_CLAIMS: ReadonlySet<string> = new Set(Object.values(CLAIMS).flat());
