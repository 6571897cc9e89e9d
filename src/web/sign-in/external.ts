import { findSignInIdp, type SignInIdp } from "../../idps/find-sign-in-idp.ts";
import {
  type ConfirmedExternal,
  checkRegistration,
  type RegistrationFields,
  suggestRegistration,
  toLinkName,
} from "../../sign-in/check-registration.ts";
import { registerExternalUser } from "../../sign-in/register-external-user.ts";
import { createSealedValues } from "../../sign-in/sealed-values.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { findExpectedUser } from "./expected-user.ts";
import { askAgain } from "./first-page.ts";
import { IDP_ACTIONS, type RegistrationProblem, registerPage, unknownUserPage } from "./idp-pages.ts";
import { signInLinkedUser } from "./linked-user.ts";
import { pendingLinkHeader } from "./pending-links.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";
import { IDP_TEXTS } from "./texts/idp-texts.ts";

const SEALED_USERS = createSealedValues<ConfirmedExternal>({
  table: "sign-in",
  column: "external",
  validSeconds: 15 * 60,
});

/**
 * Continues after a provider has confirmed an external user who is not linked to any user: the external user registers,
 * or signs in to an account and links it. Users are never found by email address or name.
 */
export async function handleUnlinkedUser(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  external: ConfirmedExternal,
): Promise<PageResponse> {
  const mayRegister = await isFreeToRegister(parts, visit);
  if (!mayRegister || !idp.autoRegister) {
    return unknownUserPage(visit, idp, { ...toForm(parts, visit, external), mayRegister });
  }
  const fields = suggestRegistration(idp, external.user);
  const registered = await register(parts, visit, idp, external, fields);
  if (registered.ok) return registered.page;
  // The user has not entered anything yet, so a missing value is not an error.
  const { isNameTaken } = registered.problem;
  return registerPage(visit, idp, { ...toForm(parts, visit, external), fields, isNameTaken });
}

/** The choice of an external user who is not linked. */
export async function submitExternalUser(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { signIn, language, caller } = visit;
  const external = SEALED_USERS.open(parts, signIn.id, form.get("external") ?? "");
  if (external === undefined) return askAgain(parts, visit);
  const idp = await findSignInIdp(parts, { orgId: signIn.org.id, idpId: external.idpId }, caller);
  if (idp === undefined) return askAgain(parts, visit, IDP_TEXTS[language].errors.gone);
  const mayRegister = await isFreeToRegister(parts, visit);
  const action = form.get("do");
  if (action === IDP_ACTIONS.toLink) {
    const { id: externalUserId } = external.user;
    const link = { idpId: idp.id, externalUserId, displayName: toLinkName(idp, external.user) };
    return redirect(stepPath(signIn, "signIn"), [pendingLinkHeader(parts, signIn.id, link)]);
  }
  if (mayRegister && action === IDP_ACTIONS.toRegister) {
    const fields = suggestRegistration(idp, external.user);
    return registerPage(visit, idp, { ...toForm(parts, visit, external), fields });
  }
  if (mayRegister && action === IDP_ACTIONS.register) {
    const fields = readFields(form);
    const registered = await register(parts, visit, idp, external, fields);
    if (registered.ok) return registered.page;
    return registerPage(visit, idp, { ...toForm(parts, visit, external), fields, ...registered.problem });
  }
  return unknownUserPage(visit, idp, { ...toForm(parts, visit, external), mayRegister });
}

type Registered =
  | { readonly ok: true; readonly page: PageResponse }
  | { readonly ok: false; readonly problem: RegistrationProblem };

/** Registers and signs in the user. */
async function register(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  { user, remember }: ConfirmedExternal,
  fields: RegistrationFields,
): Promise<Registered> {
  const checked = await checkRegistration(idp, user, fields);
  if (!checked.ok) return { ok: false, problem: { invalid: checked.invalid } };
  const { signIn, language, caller } = visit;
  const registration = { orgId: signIn.org.id, idp, registration: checked.human };
  const outcome = await registerExternalUser(parts, registration, caller);
  switch (outcome.kind) {
    case "name-taken":
      return { ok: false, problem: { isNameTaken: true } };
    case "idp-removed":
      return { ok: true, page: askAgain(parts, visit, IDP_TEXTS[language].errors.gone) };
    case "registered":
    case "link-taken": {
      // The user was registered here, or concurrently in another tab.
      const signedIn = await signInLinkedUser(parts, visit, idp, { externalUserId: user.id, remember });
      return { ok: true, page: signedIn ?? askAgain(parts, visit) };
    }
    default:
      return outcome satisfies never;
  }
}

/** If the application requires a specific user, a new user cannot sign in to it. */
async function isFreeToRegister(parts: SignInParts, visit: SignInVisit): Promise<boolean> {
  return (await findExpectedUser(parts, visit)) === undefined;
}

function toForm(parts: SignInParts, { signIn }: SignInVisit, external: ConfirmedExternal) {
  return { token: parts.formTokens.create(signIn.id), external: SEALED_USERS.seal(parts, signIn.id, external) };
}

function readFields(form: URLSearchParams): RegistrationFields {
  const read = (name: keyof RegistrationFields) => (form.get(name) ?? "").trim();
  return { userName: read("userName"), firstName: read("firstName"), lastName: read("lastName"), email: read("email") };
}
