import { createSealedValues } from "../../../crypto/sealed-values.ts";
import { trimText } from "../../../fields/trim-text.ts";
import { type Html, html } from "../../../html.ts";
import type { SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import type { RegistrationFields } from "../../../sign-in/check-entered.ts";
import type { CheckedRegistration } from "../../../sign-in/provider/check-registration.ts";
import {
  type ConfirmedExternal,
  checkRegistration,
  suggestRegistration,
  toLinkName,
} from "../../../sign-in/provider/check-registration.ts";
import { registerExternalUser } from "../../../sign-in/provider/register-external-user.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { field } from "../../frame/field.ts";
import type { PageResponse } from "../../frame/page.ts";
import { problemPage } from "../../frame/problem-page.ts";
import { redirect } from "../../frame/responses.ts";
import { findAllowedIdp } from "../allowed.ts";
import { askAgain, findExpectedUser } from "../first-page/first-page.ts";
import { pendingLinkHeader } from "../pending-link.ts";
import type { SignInParts, SignInStep, SignInVisit, StepResult } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";
import { linkByEmail, signInLinkedUser } from "./linked-user.ts";

/** The values of the `do` buttons. */
const ACTIONS = {
  /** Signs in to an existing account, and links it. */
  toLink: "to-link",
  toRegister: "to-register",
  register: "register",
} as const;

const SEALED_USERS = createSealedValues<ConfirmedExternal>({
  table: "sign-in",
  column: "external",
  validSeconds: 15 * 60,
});

/**
 * Continues after a provider has confirmed an external user who is not linked to any user: the external user registers,
 * or signs in to an account and links it. Users are found by their email address only if the provider's options say so,
 * and never by name.
 */
export async function handleUnlinkedUser(
  parts: SignInParts,
  visit: SignInVisit,
  confirmedBy: SignInIdp,
  external: ConfirmedExternal,
): Promise<StepResult> {
  const idp = restrict(confirmedBy, external);
  const linked = await linkByEmail(parts, visit, idp, external);
  if (linked !== undefined) return linked;
  const mayRegister = await isFreeToRegister(parts, visit, idp);
  if (!mayRegister || !idp.autoRegister) return unknownUserPage(parts, visit, idp, external, mayRegister);
  const fields = suggestRegistration(idp, external.user);
  const registered = await register(parts, visit, idp, external, fields);
  if (registered.ok) return registered.result;
  const { isNameTaken, isAddressTaken } = registered.problem;
  if (isAddressTaken) return unknownUserPage(parts, visit, idp, external, mayRegister);
  // The user has not entered anything yet, so a missing value is not an error.
  return registerPage(parts, visit, idp, external, { fields, isNameTaken });
}

/** The choice of an external user who is not linked. */
export const submitExternalUser: SignInStep["postForm"] = async (parts, visit, form) => {
  const { signIn, language } = visit;
  const external = SEALED_USERS.open(parts, signIn.id, form.get("external") ?? "");
  if (external === undefined) return await askAgain(parts, visit);
  const allowed = await findAllowedIdp(parts, visit, external.idpId);
  if (allowed === undefined) return await askAgain(parts, visit, language.texts.signIn.idp.errors.gone);
  const idp = restrict(allowed, external);
  if (String(idp.sequence) !== external.idpSequence)
    return await askAgain(parts, visit, language.texts.signIn.idp.errors.over);
  const mayRegister = await isFreeToRegister(parts, visit, idp);
  const action = form.get("do");
  if (idp.isLinkingAllowed && action === ACTIONS.toLink) {
    const { id: externalUserId, otherIds } = external.user;
    const { idpSequence } = external;
    const link = { idpId: idp.id, externalUserId, otherIds, displayName: toLinkName(idp, external.user), idpSequence };
    return redirect(stepPath(signIn, "signIn"), [pendingLinkHeader(parts, signIn.id, link)]);
  }
  if (mayRegister && action === ACTIONS.toRegister) {
    return registerPage(parts, visit, idp, external, { fields: suggestRegistration(idp, external.user) });
  }
  if (mayRegister && action === ACTIONS.register) {
    return await registerEntered(parts, visit, idp, external, readFields(form));
  }
  return unknownUserPage(parts, visit, idp, external, mayRegister);
};

type Registered =
  | { readonly ok: true; readonly result: StepResult }
  | { readonly ok: false; readonly problem: RefusedRegistration & { readonly isAddressTaken?: boolean } };

/**
 * Registers and signs in the user.
 *
 * @param trustsAddress Whether an address counts as verified if the provider has verified it. Otherwise, the sign-in
 *   continues once the user has opened a link.
 */
async function register(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  { user, authTime, isAssumed, isStale, remember }: ConfirmedExternal,
  fields: RegistrationFields,
  { trustsAddress } = { trustsAddress: true },
): Promise<Registered> {
  const checked = checkRegistration(idp, user, fields);
  if (!checked.ok) return { ok: false, problem: checked };
  const human = trustsAddress ? checked.human : { ...checked.human, emailVerified: false };
  const { signIn, language, caller } = visit;
  const registration = { orgId: signIn.org.id, idp, registration: human };
  const outcome = await registerExternalUser(parts, registration, caller);
  switch (outcome.kind) {
    case "name-taken":
      return { ok: false, problem: { isNameTaken: true } };
    case "address-taken":
      return { ok: false, problem: { isAddressTaken: true } };
    case "idp-changed":
      return { ok: true, result: await askAgain(parts, visit, language.texts.signIn.idp.errors.gone) };
    case "registered":
    case "link-taken": {
      // The user was registered here, or concurrently in another tab.
      const { id: externalUserId, otherIds } = user;
      const confirmed = { externalUserId, otherIds, authTime, isAssumed, isStale, remember };
      const signedIn = await signInLinkedUser(parts, visit, idp, confirmed);
      return { ok: true, result: signedIn ?? (await askAgain(parts, visit)) };
    }
    default:
      return outcome satisfies never;
  }
}

/**
 * Registers the user with the entered fields. An address by which another user is found has to be proved by a link. Limits
 * taken names, which reveal that there is a user with this name or address.
 */
async function registerEntered(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  external: ConfirmedExternal,
  fields: RegistrationFields,
): Promise<StepResult> {
  const { request, caller } = visit;
  const { limit } = parts;
  const blockedSeconds = limit.secondsBlocked(request.address);
  if (blockedSeconds !== undefined) return problemPage("too-many", visit, { retrySeconds: blockedSeconds });
  const trusting = await register(parts, visit, idp, external, fields);
  const isTaken = !trusting.ok && trusting.problem.isAddressTaken === true;
  const registered = isTaken ? await register(parts, visit, idp, external, fields, { trustsAddress: false }) : trusting;
  if (registered.ok) return registered.result;
  const { problem } = registered;
  const retrySeconds = problem.isNameTaken ? await limit.countFailure(request.address, caller) : undefined;
  if (retrySeconds !== undefined) return problemPage("too-many", visit, { retrySeconds });
  return registerPage(parts, visit, idp, external, { fields, ...problem });
}

/** Otherwise, an attacker who opens the response in a person's browser could link their own account to the person's. */
function restrict(idp: SignInIdp, { isUnsolicited = false }: ConfirmedExternal): SignInIdp {
  return isUnsolicited ? { ...idp, isLinkingAllowed: false } : idp;
}

/** If the application requires a specific user, a new user cannot sign in to it. */
async function isFreeToRegister(parts: SignInParts, visit: SignInVisit, idp: SignInIdp): Promise<boolean> {
  return idp.isCreationAllowed && (await findExpectedUser(parts, visit)) === undefined;
}

/** The token of the form, and what the provider has confirmed, encrypted. */
function hiddenFields(parts: SignInParts, { signIn }: SignInVisit, external: ConfirmedExternal): Html {
  return html`<input type="hidden" name="token" value="${parts.formTokens.create(signIn.id)}">
<input type="hidden" name="external" value="${SEALED_USERS.seal(parts, signIn.id, external)}">`;
}

function readFields(form: URLSearchParams): RegistrationFields {
  const read = (name: keyof RegistrationFields) => trimText(form.get(name) ?? "");
  return { userName: read("userName"), firstName: read("firstName"), lastName: read("lastName"), email: read("email") };
}

/** Asks an external user who is not linked whether there is an account. */
function unknownUserPage(
  parts: SignInParts,
  visit: SignInVisit,
  { name, isLinkingAllowed }: SignInIdp,
  external: ConfirmedExternal,
  mayRegister: boolean,
): PageResponse {
  const { signIn, language } = visit;
  const { unknown, failed } = language.texts.signIn.idp;
  const isClosed = !isLinkingAllowed && !mayRegister;
  return stepPage(language, {
    title: unknown.title,
    content: html`<p>${fillIn(unknown.text, { name, org: signIn.org.shownName ?? signIn.app.name })}</p>
<form method="post" action="${stepPath(signIn, "external")}">
${hiddenFields(parts, visit, external)}
${
  isLinkingAllowed &&
  html`<p class="hint" id="link-hint">${unknown.linkHint}</p>
<button name="do" value="${ACTIONS.toLink}" aria-describedby="link-hint">${unknown.link}</button>`
}
${mayRegister && html`<button${isLinkingAllowed && html` class="secondary"`} name="do" value="${ACTIONS.toRegister}">${unknown.register}</button>`}
${isClosed && html`<p>${unknown.closed}</p><p><a class="button" href="${stepPath(signIn, "signIn")}">${failed.back}</a></p>`}
</form>`,
  });
}

/** What is wrong with a submitted registration. */
interface RefusedRegistration {
  readonly invalid?: (CheckedRegistration & { ok: false })["invalid"];
  readonly isForeignAddress?: boolean | undefined;
  readonly isNameTaken?: boolean | undefined;
}

function registerPage(
  parts: SignInParts,
  visit: SignInVisit,
  { name, isLinkingAllowed }: SignInIdp,
  external: ConfirmedExternal,
  form: RefusedRegistration & { readonly fields: RegistrationFields },
): PageResponse {
  const { signIn, language } = visit;
  const { fields, invalid = new Set(), isForeignAddress = false, isNameTaken = false } = form;
  const { register, unknown } = language.texts.signIn.idp;
  const nameProblem = isForeignAddress ? register.foreignAddress : isNameTaken ? register.taken : undefined;
  const hasProblem = invalid.size > 0 || nameProblem !== undefined;
  const input = (key: keyof RegistrationFields, label: string, type: string, autocomplete: string) =>
    field({
      name: key,
      label,
      error: invalid.has(key) ? register.invalid : key === "userName" ? nameProblem : undefined,
      attributes: html`type="${type}" value="${fields[key]}" autocomplete="${autocomplete}" required`,
    });
  return stepPage(language, {
    status: hasProblem ? 422 : 200,
    title: register.title,
    content: html`<p>${fillIn(register.text, { name })}</p>
<form method="post" action="${stepPath(signIn, "external")}">
${hiddenFields(parts, visit, external)}
${input("firstName", register.firstName, "text", "given-name")}
${input("lastName", register.lastName, "text", "family-name")}
${input("email", register.email, "email", "email")}
${input("userName", language.texts.signIn.userName, "text", "username")}
<button name="do" value="${ACTIONS.register}">${register.submit}</button>
${isLinkingAllowed && html`<button class="secondary" name="do" value="${ACTIONS.toLink}" formnovalidate>${unknown.link}</button>`}
</form>`,
  });
}
