import type { Label } from "../../branding/label-settings.ts";
import { ACCOUNT_APP, accountAppName } from "../frame/account-app.ts";
import { findBranding } from "../frame/find-branding.ts";
import { inOrg } from "../frame/lay-out.ts";
import type { PageResponse, PageRoute, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { offersRegistration } from "./can-register.ts";
import { acceptedIdentifiers } from "./entered-identifier.ts";
import { submitExternalUser } from "./external.ts";
import { askAgain, showFirstPage } from "./first-page.ts";
import { requestReset, showForgotten } from "./forgotten.ts";
import { answerPasskeyOffer, setNewPassword, verifyAddress, verifyOneTimeCode } from "./gate-steps.ts";
import { identifyPage, isIdentifierMissing, submitIdentifier } from "./identify.ts";
import { beginIdpSignIn, completeIdpSignIn, redirectDirectly } from "./idp.ts";
import { readIdpSearch } from "./idp-search.ts";
import type { SignInOrg } from "./interactions.ts";
import { findKeptPage, redirectToPage } from "./kept-page.ts";
import { answerLink } from "./link.ts";
import { signInByLink } from "./link-sign-in.ts";
import { submitPasskey } from "./passkey-step.ts";
import { submitPassword } from "./password-step.ts";
import { readPendingLink } from "./pending-links.ts";
import { submitRecentProof } from "./recent-proof.ts";
import { REGISTER_STEP } from "./register.ts";
import { findRestart } from "./restart.ts";
import { submitSecondFactor } from "./second-factor.ts";
import { endedPage } from "./sign-in-page.ts";
import type { SignInParts, SignInStep, SignInVisit } from "./sign-in-parts.ts";
import { stepUp } from "./step-up.ts";
import { STEPS, stepPath } from "./steps.ts";
import { signInUnsolicited } from "./unsolicited-sign-in.ts";

const HANDLERS: Readonly<Record<string, SignInStep>> = {
  [STEPS.signIn]: { postForm: submitPassword },
  [STEPS.identify]: { postForm: submitIdentifier },
  [STEPS.passkey]: { postForm: submitPasskey },
  [STEPS.newPassword]: { postForm: setNewPassword },
  [STEPS.address]: { postForm: verifyAddress },
  [STEPS.oneTimeCode]: { postForm: verifyOneTimeCode },
  [STEPS.secondFactor]: { postForm: submitSecondFactor },
  [STEPS.recentProof]: { postForm: submitRecentProof },
  [STEPS.passkeyOffer]: { postForm: answerPasskeyOffer },
  [STEPS.forgotten]: { get: showForgotten, postForm: requestReset },
  [STEPS.register]: REGISTER_STEP,
  [STEPS.idp]: { get: completeIdpSignIn, postForm: beginIdpSignIn },
  [STEPS.external]: { postForm: submitExternalUser },
  [STEPS.link]: { postForm: answerLink },
};

/**
 * `/ui/sign-in/<id>`: the pages of a sign-in requested by an application (docs/sign-in.md). Returns the route of a
 * path; undefined if there is none.
 */
export function findSignInRoute(path: string): PageRoute<SignInParts> | undefined {
  const [, id = "", rest = ""] = /^\/ui\/sign-in\/([\w-]{1,128})(\/[a-z-]+)?$/.exec(path) ?? [];
  const step = id === "" ? undefined : HANDLERS[rest];
  return (
    step && {
      get: (parts, visit) => show(parts, visit, id, step),
      postForm: (parts, visit, form) => submit(parts, visit, id, step, form),
    }
  );
}

async function show(parts: SignInParts, visit: Visit, id: string, step: SignInStep): Promise<PageResponse> {
  const found = await findSignIn(parts, visit, id);
  if (found === undefined) return await (step.elsewhere?.get ?? showEnded)(parts, visit, id);
  const kept = findKeptPage(parts, found);
  if (kept !== undefined) return kept;
  const byCookie = step.get === undefined ? await signInByCookie(parts, found) : undefined;
  if (byCookie !== undefined) return inOrg(found.signIn.org.id, await redirectToPage(parts, found, byCookie));
  const isFirst = isIdentifierMissing(found.signIn) && !isLink(step, visit.request.query);
  const direct = step === HANDLERS[STEPS.signIn] && !isFirst ? await redirectDirectly(parts, found) : undefined;
  if (direct !== undefined) return inOrg(found.signIn.org.id, direct);
  const page = isFirst ? identifyPage(parts, found) : await (step.get ?? showFirstPage)(parts, found);
  // A provider's response counts once, so the page that follows must not need it again.
  return inOrg(found.signIn.org.id, step === HANDLERS[STEPS.idp] ? await redirectToPage(parts, found, page) : page);
}

/** Continues with a user who has authenticated before the sign-in started. */
async function signInByCookie(parts: SignInParts, visit: SignInVisit): Promise<PageResponse | undefined> {
  return (await signInByLink(parts, visit)) ?? (await signInUnsolicited(parts, visit)) ?? (await stepUp(parts, visit));
}

async function submit(
  parts: SignInParts,
  visit: Visit,
  id: string,
  step: SignInStep,
  form: URLSearchParams,
): Promise<PageResponse> {
  const found = await findSignIn(parts, visit, id);
  if (found === undefined && step.elsewhere !== undefined) return await step.elsewhere.postForm(parts, visit, id, form);
  // Opened by GET, it explains that the sign-in has ended.
  if (found === undefined)
    return redirect(stepPath({ id, app: { id: visit.request.query.get("app") ?? "" } }, "signIn"));
  const isValid = parts.formTokens.isValid(id, form.get("token"));
  const isFirst = isIdentifierMissing(found.signIn) && !isLink(step, form);
  if (!isValid)
    return await redirectToPage(parts, found, isFirst ? identifyPage(parts, found) : askAgain(parts, found));
  return await redirectToPage(parts, found, await (isFirst ? submitIdentifier : step.postForm)(parts, found, form));
}

/** Whether it is the link of a registration, which has an organization of its own. */
function isLink(step: SignInStep, parameters: URLSearchParams): boolean {
  return step === REGISTER_STEP && parameters.has("code");
}

/** A sign-in that has ended, or was started in a different browser, is not found. */
async function findSignIn(parts: SignInParts, visit: Visit, id: string): Promise<SignInVisit | undefined> {
  const found = await parts.interactions.find(id, visit.request.headers.cookie);
  if (found === undefined) return undefined;
  const { label, languageOf } = await findBranding(parts.brandings, found.org.id, visit.caller);
  const accountApp = { ...found.app, name: accountAppName(label, parts.config.publicUrl) };
  const signIn = found.app.id === ACCOUNT_APP.id ? { ...found, app: accountApp } : found;
  const idps = signIn.policy.allowExternalIdp ? await parts.idpOffers.find(signIn.org.id, visit.caller) : [];
  const text = idps.length === 0 ? "" : readIdpSearch(visit.request);
  const foundIdps = text === "" ? undefined : await parts.idpOffers.search(signIn.org.id, text, visit.caller);
  const language = languageOf(signIn.language ?? visit.language.tag);
  const pendingLink = readPendingLink(parts, visit, signIn.id);
  const canRegister = offersRegistration(parts, signIn);
  return {
    ...visit,
    language,
    signIn,
    identifiers: acceptedIdentifiers(signIn.policy),
    idps,
    idpSearch: foundIdps && { text, found: foundIdps },
    pendingLink,
    canRegister,
    shownOrgName: isNameOnTop(label, found.org) ? undefined : found.org.shownName,
  };
}

/** Whether the top of the page is the registered name of the organization. */
function isNameOnTop({ name, logo, logoDark }: Label, { shownName }: SignInOrg): boolean {
  return name === shownName && logo === null && logoDark === null;
}

async function showEnded(parts: SignInParts, visit: Visit): Promise<PageResponse> {
  return endedPage(visit, await findRestart(parts, visit));
}
