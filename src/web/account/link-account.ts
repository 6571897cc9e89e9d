import { findSignInIdp, type SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { toLinkName } from "../../sign-in/check-registration.ts";
import { readExternalUser, redeemCode } from "../../sign-in/external-user.ts";
import { findLinkedUser, findSignInUser } from "../../sign-in/find-sign-in-user.ts";
import { type UsedAttempt, useIdpAttempt } from "../../sign-in/idp-attempts.ts";
import { linkExternalUser } from "../../sign-in/link-external-user.ts";
import { runInSpan } from "../../telemetry/span-scope.ts";
import { LINK_CALLBACK_PATH } from "../frame/account-app.ts";
import type { PageResponse, PageRoutes } from "../frame/page.ts";
import { readIdpCookie } from "../sign-in/idp-cookie.ts";
import { readName, redirectToProvider, reportIdpFailure, toCallback } from "../sign-in/idp-request.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { accountRoute } from "./account-step.ts";
import { done } from "./notice.ts";
import { PATHS } from "./paths.ts";
import { buttonRoute, showAccount } from "./show-account.ts";

/**
 * Links a further account: the user signs in at the provider. The attempt belongs to the session, so a response that
 * another browser or another user has requested links nothing.
 */
export const LINK_ACCOUNT_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.links]: buttonRoute({ isSensitive: true, submit: begin }),
  // A user may be at the provider for longer than a sign-in is recent.
  [LINK_CALLBACK_PATH]: accountRoute({ isSensitive: false, show: complete }),
};

/** The account in which the user is signed in at the provider is linked. */
const HINTS = { mustAuthenticate: false, maxAge: undefined, loginHint: undefined };

async function begin(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const idp = await findIdp(parts, visit, form.get("id") ?? "");
  if (idp === undefined) return await isStale(parts, visit);
  // The provider learns neither the session nor the user.
  const state = { signInId: "", appId: "" };
  const request = { subject: toSubject(visit), state, remember: false, hints: HINTS };
  return await withProvider(parts, visit, idp, () => redirectToProvider(parts, idp, request, visit));
}

async function complete(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  const { request, language, caller } = visit;
  const subject = toSubject(visit);
  const state = request.query.get("state") ?? "";
  const secret = readIdpCookie(parts.config, visit, subject);
  const idp = await findIdp(parts, visit, request.query.get("idp") ?? "");
  if (idp === undefined) return await isStale(parts, visit);
  const attempt = await useIdpAttempt(parts, { signInId: subject, idpId: idp.id, state, secret }, caller);
  if (attempt === undefined) return await showAccount(parts, visit, { text: language.texts.accountForms.link.over });
  return await withProvider(parts, visit, idp, () => link(parts, visit, idp, attempt));
}

/** Links the external user who has signed in at the provider. */
async function link(
  parts: AccountParts,
  visit: AccountVisit,
  idp: SignInIdp,
  attempt: UsedAttempt,
): Promise<PageResponse> {
  const { language, account, caller } = visit;
  const client = await parts.idpClients.find(idp);
  const redeemed = await redeemCode(
    client,
    toCallback(parts, visit, idp),
    { ...attempt, address: visit.request.address },
    parts.clock(),
  );
  const external = await readExternalUser(client, redeemed, readName(parts, visit, idp));
  const user = await findSignInUser(parts, account.id, caller);
  if (user === undefined) return await isStale(parts, visit);
  const { id: externalUserId } = external;
  const payload = { idpId: idp.id, externalUserId, displayName: toLinkName(idp, external) };
  if ((await linkExternalUser(parts, user, idp, payload, caller)) !== undefined) return done(parts, "linked");
  const owner = await findLinkedUser(parts, { orgId: account.orgId, idpId: idp.id, externalUserId }, caller);
  if (owner === undefined) return await isStale(parts, visit);
  if (owner.id === account.id) return done(parts, "linked");
  return await showAccount(parts, visit, { text: language.texts.accountForms.link.taken(idp.name) });
}

/** Returns the account page with the problem if the provider cannot be used. */
async function withProvider(
  parts: AccountParts,
  visit: AccountVisit,
  idp: SignInIdp,
  act: () => Promise<PageResponse>,
): Promise<PageResponse> {
  try {
    return await runInSpan(visit.caller.span, act);
  } catch (error) {
    const problem = reportIdpFailure(parts, visit, idp, error);
    const { errors, failed } = visit.language.texts.signIn.idp;
    const text = problem === "denied" ? errors.denied(idp.name) : failed[problem](idp.name);
    return await showAccount(parts, visit, { text });
  }
}

/** @returns Undefined for a provider with which the policy or its own options do not allow linking. */
async function findIdp(
  parts: AccountParts,
  { account, caller }: AccountVisit,
  idpId: string,
): Promise<SignInIdp | undefined> {
  if (!account.policy.allowExternalIdp) return undefined;
  const idp = await findSignInIdp(parts, { orgId: account.orgId, idpId }, caller);
  return idp?.isLinkingAllowed ? idp : undefined;
}

/** No sign-in has such an id. */
function toSubject({ session }: AccountVisit): string {
  return `link ${session.id}`;
}

function isStale(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  return showAccount(parts, visit, { text: visit.language.texts.account.stale });
}
