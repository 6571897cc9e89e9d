import { html } from "../../../html.ts";
import type { OfferedIdp, SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import { readExternalUser, wordOf } from "../../../sign-in/provider/external-user.ts";
import { isFresh, toAuthTime } from "../../../sign-in/provider/freshness.ts";
import type { UsedAttempt } from "../../../sign-in/provider/idp-attempts.ts";
import { runInSpan } from "../../../telemetry/span-scope.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import type { PageResponse } from "../../frame/page.ts";
import { findAllowedIdp } from "../allowed.ts";
import { askAgain } from "../first-page/first-page.ts";
import { findIdps } from "../first-page/idp-choice.ts";
import { readPendingLink } from "../pending-link.ts";
import type { SignInParts, SignInStep, SignInVisit, StepResult } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";
import { handleUnlinkedUser } from "./external.ts";
import type { IdpProblem } from "./idp-failure.ts";
import { idpCookie, readName, redeemAttempt, redirectToProvider, reportIdpFailure, useAttempt } from "./idp-request.ts";
import { signInLinkedUser } from "./linked-user.ts";

/** Redirects the browser to the chosen provider (docs/sign-in.md). */
export const beginIdpSignIn: SignInStep["postForm"] = async (parts, visit, form) => {
  return await redirectToIdp(parts, visit, form.get("idp") ?? "", form.get("remember") === "yes");
};

/**
 * Redirects the browser to the provider that the application has asked for (`idp_hint`), or that is the only way to sign
 * in, if the policy says so. Only once in a sign-in, so that a person who comes back finds the page with all ways.
 *
 * @returns Undefined if the person has to choose.
 */
export async function redirectDirectly(parts: SignInParts, visit: SignInVisit): Promise<PageResponse | undefined> {
  const { signIn } = visit;
  if (readPendingLink(parts, visit) !== undefined || idpCookie(signIn.id).read(parts, visit) !== "") return undefined;
  const { allowUsernamePassword, allowPasswordless, redirectToOnlyIdp } = signIn.policy;
  const idps = await findIdps(parts, visit);
  const isOnlyWay = idps.length === 1 && !allowUsernamePassword && !allowPasswordless;
  const idp = findHinted(idps, signIn.idpHint) ?? (isOnlyWay && redirectToOnlyIdp ? idps[0] : undefined);
  return idp && (await redirectToIdp(parts, visit, idp.id, false));
}

/** By id, or by a name that only one of them has. */
function findHinted(idps: readonly OfferedIdp[], hint: string | undefined): OfferedIdp | undefined {
  if (hint === undefined) return undefined;
  const key = hint.toLowerCase();
  const [named, other] = idps.filter(({ name }) => name.toLowerCase() === key);
  return idps.find(({ id }) => id === key) ?? (other === undefined ? named : undefined);
}

async function redirectToIdp(
  parts: SignInParts,
  visit: SignInVisit,
  idpId: string,
  remember: boolean,
): Promise<PageResponse> {
  const { signIn, language } = visit;
  const idp = await findAllowedIdp(parts, visit, idpId);
  if (idp === undefined) return await askAgain(parts, visit, language.texts.signIn.idp.errors.gone);
  const request = {
    subject: signIn.id,
    state: { signInId: signIn.id, appId: signIn.app.id },
    hints: { ...signIn.freshness, loginHint: signIn.discovery?.identifier ?? signIn.loginHint },
    remember,
  };
  return await withProvider(parts, visit, idp, () => redirectToProvider(parts, idp, request, visit));
}

/** Handles the provider's response. Without one, returns the first page. */
export async function completeIdpSignIn(parts: SignInParts, visit: SignInVisit): Promise<StepResult> {
  const { request, signIn, language } = visit;
  const { errors } = language.texts.signIn.idp;
  const idp = await findAllowedIdp(parts, visit, request.query.get("idp") ?? "");
  if (idp === undefined) return await askAgain(parts, visit, errors.gone);
  const attempt = await useAttempt(parts, visit, { subject: signIn.id, idpId: idp.id });
  if (attempt === undefined) return await askAgain(parts, visit, errors.over);
  return await withProvider(parts, visit, idp, () => signInExternalUser(parts, visit, idp, attempt));
}

async function signInExternalUser(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  attempt: UsedAttempt,
): Promise<StepResult> {
  const { client, redeemed } = await redeemAttempt(parts, visit, idp, attempt);
  const { remember, startedAt } = attempt;
  const { externalUserId } = redeemed;
  const otherIds = "otherIds" in redeemed ? redeemed.otherIds : undefined;
  const { freshness } = visit.signIn;
  const { authTime, isAssumed } = toAuthTime(freshness, redeemed.authTime, startedAt, wordOf(idp));
  const isStale = !isFresh(freshness, authTime, { startedAt, now: parts.clock() });
  const proof = { authTime, isAssumed, isStale, remember };
  const readUser = () => readExternalUser(client, redeemed, readName(parts, visit, idp));
  const signedIn = await signInLinkedUser(parts, visit, idp, { externalUserId, otherIds, ...proof, readUser });
  if (signedIn !== undefined) return signedIn;
  const user = await readUser();
  const confirmed = { idpId: idp.id, idpSequence: String(idp.sequence), user, ...proof };
  return await handleUnlinkedUser(parts, visit, idp, confirmed);
}

/** Returns a page for the user, and logs the failure if the provider is at fault. */
async function withProvider<Result>(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  act: () => Promise<Result>,
): Promise<Result | PageResponse> {
  try {
    return await runInSpan(visit.caller.span, act);
  } catch (error) {
    const problem = reportIdpFailure(parts, visit, idp, error);
    if (problem !== "denied") return idpFailedPage(visit, idp, problem);
    return await askAgain(parts, visit, fillIn(visit.language.texts.signIn.idp.errors.denied, { name: idp.name }));
  }
}

/** The page for a provider that cannot be used. The log has the cause. */
function idpFailedPage({ signIn, language }: SignInVisit, { name }: SignInIdp, problem: IdpProblem): PageResponse {
  const { title, back, ...texts } = language.texts.signIn.idp.failed;
  return stepPage(language, {
    status: 502,
    title: fillIn(title, { name }),
    icon: "problem",
    content: html`<p>${fillIn(texts[problem], { name })}</p>
<p><a class="button" href="${stepPath(signIn, "signIn")}">${back}</a></p>`,
  });
}
