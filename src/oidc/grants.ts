import type { Grant, KoaContextWithOIDC } from "oidc-provider";
import type { Clock } from "../clock.ts";
import { CLAIMS, SCOPES } from "./accounts.ts";
import { GRANT_SECONDS } from "./lifetimes.ts";
import { keepOrgOfUser, ORG_PARAMETER } from "./requested-org.ts";
import { storeSession } from "./session-details.ts";
import { createGrantId } from "./stored-artifacts.ts";

/**
 * Returns the session user's grant to the application. There is one grant per session and application, written only when
 * it is new or old. It includes everything, because applications are trusted; a token gets only the scopes and claims of
 * its request. A user of another organization gets none.
 */
export function createLoadGrant(clock: Clock) {
  return async ({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { account, client, session, provider, params, resourceServers } = oidc;
    if (account === undefined || client === undefined || session === undefined) return undefined;
    keepOrgOfUser(params, account.orgId);
    if (account.orgId !== params?.[ORG_PARAMETER]) return undefined;
    const { accountId } = account;
    const { clientId } = client;
    const grantId = session.grantIdFor(clientId);
    const found = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const isUsable = found?.accountId === accountId && found.clientId === clientId;
    const grant = isUsable ? found : new provider.Grant({ accountId, clientId });
    if (!isUsable) grant.jti = createGrantId(session.uid);
    const before = JSON.stringify([grant.openid, grant.resources]);
    grant.addOIDCScope(SCOPES.join(" "));
    grant.addOIDCClaims(ALL_CLAIMS);
    for (const api of Object.values(resourceServers ?? {})) grant.addResourceScope(api.identifier(), api.scope);
    const isOld = isUsable && grant.remainingTTL < GRANT_SECONDS.renewBelow;
    if (isOld) grant.exp = Math.floor(Date.now() / 1_000) + GRANT_SECONDS.lifetime;
    if (!isUsable || isOld || JSON.stringify([grant.openid, grant.resources]) !== before) {
      await storeSession(session, clock());
      await grant.save();
    }
    return grant;
  };
}

const ALL_CLAIMS: string[] = Object.values(CLAIMS).flat();
