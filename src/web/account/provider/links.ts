import { findSignInIdp, type SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import { findLinkedUser, findSignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { toLinkName } from "../../../sign-in/provider/check-registration.ts";
import { readExternalUser } from "../../../sign-in/provider/external-user.ts";
import type { UsedAttempt } from "../../../sign-in/provider/idp-attempts.ts";
import { linkExternalUser } from "../../../sign-in/provider/link-external-user.ts";
import { runInSpan } from "../../../telemetry/span-scope.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { removeIdpLink } from "../../../users/change/change-idp-links.ts";
import { LINK_CALLBACK_PATH } from "../../frame/account-app.ts";
import { detailsList } from "../../frame/details-list.ts";
import { done } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import {
  readName,
  redeemAttempt,
  redirectToProvider,
  reportIdpFailure,
  useAttempt,
} from "../../sign-in/provider/idp-request.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { buttonRoute, showAccount, showStale, unlessGone } from "../first-page/show-account.ts";
import { formPage } from "../form-page.ts";
import { PATHS, withQuery } from "../paths.ts";

/**
 * Removes links to providers, and links a further account: the user signs in at the provider. The attempt belongs to the
 * session, so a response that another browser or another user has requested links nothing.
 */
export const LINK_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.unlink]: accountRoute({ isSensitive: true, show: showUnlink, submit: unlink }),
  [PATHS.links]: buttonRoute({ isSensitive: true, submit: begin }),
  // The user may stay at the provider for longer than a sign-in counts as recent.
  [LINK_CALLBACK_PATH]: accountRoute({ isSensitive: false, show: complete }),
};

function readLink({ request }: AccountVisit) {
  return { idpId: request.query.get("idp") ?? "", linkedUserId: request.query.get("external") ?? "" };
}

async function showUnlink(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): Promise<PageResponse> {
  const { language, account } = visit;
  const { idpId, linkedUserId } = readLink(visit);
  const link = account.idpLinks.find((known) => known.idpId === idpId && known.externalUserId === linkedUserId);
  if (link === undefined) return await showStale(parts, visit);
  const texts = language.texts.accountForms.unlink;
  const fields = detailsList([[link.idpName, link.displayName || linkedUserId]]);
  const action = withQuery(PATHS.unlink, { idp: idpId, external: linkedUserId });
  return formPage(parts, visit, { action, texts, fields, isDangerous: true, problem });
}

async function unlink(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  const { session, account, caller } = visit;
  const link = { userId: account.id, ...readLink(visit) };
  return await unlessGone(parts, visit, "unlinked", () =>
    removeIdpLink(parts, link, toOwnCall(account, caller, session.id)),
  );
}

/** Links the account with which the user is signed in at the provider, without asking for another sign-in. */
const HINTS = { mustAuthenticate: false, maxAge: undefined, loginHint: undefined };

async function begin(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const idp = await findIdp(parts, visit, form.get("id") ?? "");
  if (idp === undefined) return await showStale(parts, visit);
  // The provider learns neither the session nor the user.
  const state = { signInId: "", appId: "" };
  const request = { subject: toSubject(visit), state, remember: false, hints: HINTS };
  return await withProvider(parts, visit, idp, () => redirectToProvider(parts, idp, request, visit));
}

async function complete(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  const idp = await findIdp(parts, visit, visit.request.query.get("idp") ?? "");
  if (idp === undefined) return await showStale(parts, visit);
  const attempt = await useAttempt(parts, visit, { subject: toSubject(visit), idpId: idp.id });
  if (attempt === undefined)
    return await showAccount(parts, visit, { text: visit.language.texts.accountForms.link.over });
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
  const { client, redeemed } = await redeemAttempt(parts, visit, idp, attempt);
  const external = await readExternalUser(client, redeemed, readName(parts, visit, idp));
  const user = await findSignInUser(parts, account.id, caller);
  if (user === undefined) return await showStale(parts, visit);
  const key = { idpId: idp.id, externalUserId: external.id, otherIds: external.otherIds };
  const given = { ...key, displayName: toLinkName(idp, external) };
  if ((await linkExternalUser(parts, user, idp, given, caller)) !== undefined) return done(parts, "linked");
  const owner = await findLinkedUser(parts, { orgId: account.orgId, ...key }, caller);
  if (owner === undefined) return await showStale(parts, visit);
  if (owner.id === account.id) return done(parts, "linked");
  return await showAccount(parts, visit, { text: fillIn(language.texts.accountForms.link.taken, { name: idp.name }) });
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
    const text =
      problem === "denied" ? fillIn(errors.denied, { name: idp.name }) : fillIn(failed[problem], { name: idp.name });
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

/** Takes the place of the id of a sign-in, none of which has this form. */
function toSubject({ session }: AccountVisit): string {
  return `link ${session.id}`;
}
