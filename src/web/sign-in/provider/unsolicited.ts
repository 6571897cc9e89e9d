import { html } from "../../../html.ts";
import { findSamlIdp, findSignInIdp, type SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import { findLinkedUser } from "../../../sign-in/find-sign-in-user.ts";
import { type ConfirmedExternal, toLinkName } from "../../../sign-in/provider/check-registration.ts";
import { readExternalUser, redeemResponse } from "../../../sign-in/provider/external-user.ts";
import { ATTEMPT_SECONDS } from "../../../sign-in/provider/idp-attempts.ts";
import {
  readUnsolicited,
  storeUnsolicited,
  type UnsolicitedHandle,
} from "../../../sign-in/provider/unsolicited-responses.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { createSealedCookie, type SealedCookie } from "../../frame/cookies.ts";
import { detailsList } from "../../frame/details-list.ts";
import { findLanguage } from "../../frame/find-branding.ts";
import { notePage } from "../../frame/note.ts";
import type { PageResponse, PageRoute, Visit } from "../../frame/page.ts";
import { returnTo } from "../../frame/page-cookies.ts";
import { inOrg, redirect } from "../../frame/responses.ts";
import { nextPath, signInLink } from "../../frame/sign-in-link.ts";
import { endedPage } from "../ended-page.ts";
import type { SignInParts } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { reportIdpFailure } from "./idp-request.ts";

/**
 * A sign-in that begins at a SAML provider, if the provider may (`allowIdpInitiated`). Any site can send a browser here
 * with a response for its own user (login CSRF), so nothing happens before the person has read who signs in, and has
 * continued.
 */
export async function receiveUnsolicited(
  parts: SignInParts,
  visit: Visit,
  idpId: string,
  response: string,
): Promise<PageResponse> {
  const { caller } = visit;
  const idp = await findIdp(parts, visit, idpId);
  if (idp === undefined) return endedPage(visit, undefined);
  try {
    const handle = await accept(parts, visit, idp, response);
    if (handle === undefined) return endedPage(visit, undefined);
    return redirect(continuePath(idpId), [OFFER.header(parts, idpId, handle)]);
  } catch (error) {
    const problem = reportIdpFailure(parts, visit, idp, error);
    caller.throwIfOver();
    return await failedPage(parts, visit, idp, problem);
  }
}

/** `/ui/idps/<id>/saml/continue`: asks the person, and starts the sign-in. */
export function continueRoute(idpId: string): PageRoute<SignInParts> {
  return {
    get: (parts, visit) => ask(parts, visit, idpId),
    postForm: (parts, visit, form) => start(parts, visit, idpId, form),
  };
}

function continuePath(idpId: string): string {
  return `/ui/idps/${idpId}/saml/continue`;
}

interface ResponseIdp extends SignInIdp {
  /** Whose users sign in. */
  readonly orgId: string;
}

/** @returns Undefined unless sign-ins may begin at the provider. */
async function findIdp(parts: SignInParts, visit: Visit, idpId: string): Promise<ResponseIdp | undefined> {
  const idp = await findResponseIdp(parts, visit, idpId);
  return idp?.settings.allowIdpInitiated ? idp : undefined;
}

/** The SAML provider that a response is for, and the organization of its users, as far as the response does not say it. */
export async function findResponseIdp(
  parts: SignInParts,
  { caller }: Visit,
  idpId: string,
): Promise<ResponseIdp | undefined> {
  const found = await findSamlIdp(parts, idpId, caller);
  const idp = found && (await findSignInIdp(parts, { orgId: found.orgId, idpId }, caller));
  return idp && { ...idp, orgId: found.orgId };
}

/** @returns Undefined if the assertion was accepted before. */
async function accept(
  parts: SignInParts,
  { caller, request }: Visit,
  idp: ResponseIdp,
  response: string,
): Promise<UnsolicitedHandle | undefined> {
  const client = await parts.idpClients.find(idp);
  if (!("thread" in client)) throw new Error("the provider is no SAML provider");
  const redeemed = await redeemResponse(
    client,
    { nonce: undefined, response, address: request.address },
    parts.clock(),
  );
  const user = await readExternalUser(client, redeemed);
  const external: ConfirmedExternal = {
    ...{ idpId: idp.id, idpSequence: String(idp.sequence), user, authTime: redeemed.authTime },
    ...{ remember: false, isUnsolicited: true },
  };
  caller.throwIfOver();
  return await storeUnsolicited(parts, { idp, assertionId: redeemed.assertion.id, external }, caller);
}

async function ask(parts: SignInParts, visit: Visit, idpId: string): Promise<PageResponse> {
  const { request, caller } = visit;
  const handle = OFFER.read(parts, visit, idpId);
  const external = handle && (await readUnsolicited(parts, handle, caller));
  if (handle === undefined || external === undefined) return endedPage(visit, undefined);
  const idp = await findIdp(parts, visit, idpId);
  if (idp === undefined) return endedPage(visit, undefined);
  const { orgId } = idp;
  const linked = await findLinkedUser(parts, { orgId, idpId, externalUserId: external.user.id }, caller);
  const session = await parts.sessions.find(request.headers.cookie);
  const language = await findLanguage(parts.brandings, visit.language.tag, orgId, caller);
  const { userName, idp: texts } = language.texts.signIn;
  const { unsolicited } = texts;
  const page = stepPage(language, {
    title: fillIn(unsolicited.title, { name: idp.name }),
    content: html`<p>${fillIn(unsolicited.text, { name: idp.name })}</p>
${detailsList([
  [userName, linked?.userName ?? ""],
  [texts.confirm.external, toLinkName(idp, external.user)],
  // Nobody but the provider chooses it, so it tells accounts with the same name apart.
  [unsolicited.id, linked === undefined ? external.user.id : ""],
])}
${session !== undefined && session.userId !== linked?.id && html`<p>${unsolicited.replaces}</p>`}
<form method="post" action="${continuePath(idpId)}">
<input type="hidden" name="token" value="${parts.formTokens.create(handle.secret)}">
<button>${unsolicited.submit}</button>
</form>`,
  });
  return inOrg(orgId, page);
}

/**
 * Starts a sign-in to the account page, which the response completes (`signInUnsolicited`). It leads where the login
 * policy says; the `RelayState` of the response is not used.
 */
async function start(parts: SignInParts, visit: Visit, idpId: string, form: URLSearchParams): Promise<PageResponse> {
  const handle = OFFER.read(parts, visit, idpId);
  if (handle === undefined || !parts.formTokens.isValid(handle.secret, form.get("token"))) {
    return endedPage(visit, undefined);
  }
  const idp = await findIdp(parts, visit, idpId);
  if (idp === undefined) return endedPage(visit, undefined);
  const { orgId } = idp;
  return redirect(parts.sessions.signInUrl({ orgId, allowsOther: true }), [
    OFFER.forget(parts),
    ACCEPTED.header(parts, orgId, handle),
    returnTo(parts, nextPath(orgId)),
  ]);
}

/** The page for a response that is no part of a sign-in in progress, or was not read. */
export async function failedPage(
  parts: SignInParts,
  visit: Visit,
  { name, orgId }: ResponseIdp,
  problem: ReturnType<typeof reportIdpFailure> | "tooLarge",
): Promise<PageResponse> {
  const language = await findLanguage(parts.brandings, visit.language.tag, orgId, visit.caller);
  const { failed, errors } = language.texts.signIn.idp;
  const text = problem === "denied" ? fillIn(errors.denied, { name }) : fillIn(failed[problem], { name });
  const status = problem === "denied" ? 422 : problem === "tooLarge" ? 413 : 502;
  const texts = { title: fillIn(failed.title, { name }), text };
  return inOrg(orgId, notePage(language, texts, { status, icon: "problem", next: signInLink(language, orgId) }));
}

/** Of the browser that has brought the response, until the person decides. The subject is the provider. */
export const OFFER = createHandleCookie("signet-saml-offer", ATTEMPT_SECONDS);

/**
 * After the person has decided to continue, for longer than the redirects to the sign-in take. The subject is the
 * organization.
 */
export const ACCEPTED = createHandleCookie("signet-saml-accepted", 120);

/** A cookie with a response that answers no request. It is `SameSite=Lax`, so it comes with redirects from other sites. */
function createHandleCookie(name: string, validSeconds: number): SealedCookie<UnsolicitedHandle> {
  return createSealedCookie(name, { table: "sign-in", column: name, validSeconds });
}
