import { isId } from "../../crypto/secrets.ts";
import { findLoginPolicy } from "../../policies/find-login-policy.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { NEXT_PATH } from "../frame/sign-in-link.ts";
import type { LinkParts } from "./link-parts.ts";

/**
 * `/ui/next?org=<id>`: redirects to the `defaultRedirectUri` of the organization's login policy, or to the sign-in of
 * the organization, and then to the account page. It leads nowhere else, because only the policy chooses the URI.
 */
export const NEXT_ROUTES: PageRoutes<LinkParts> = { [NEXT_PATH]: { get: goOn } };

async function goOn(parts: LinkParts, { request, caller }: Visit): Promise<PageResponse> {
  const orgId = request.query.get("org") ?? "";
  if (!isId(orgId)) return redirect(ACCOUNT_PATH);
  const { defaultRedirectUri } = await findLoginPolicy(parts, orgId, caller);
  return redirect(defaultRedirectUri ?? `${ACCOUNT_PATH}?org=${orgId}`);
}
