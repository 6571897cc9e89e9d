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
import type { PageResponse, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { IDP_ACTIONS, type RegisterForm, registerPage, unknownUserPage } from "./idp-pages.ts";
import { type SignInContext, type SignInStep, stepPath } from "./sign-in-context.ts";
import type { SignInRequest } from "./sign-in-requests.ts";
import type { StepOptions } from "./step-options.ts";
import { IDP_TEXTS } from "./texts/idp-texts.ts";

interface ExternalStepOptions extends StepOptions {
  /** Signs in the user linked to an external user; undefined if there is none. */
  readonly signIn: (
    visit: Visit,
    request: SignInRequest,
    idp: SignInIdp,
    externalUserId: string,
    remember: boolean,
  ) => Promise<PageResponse | undefined>;
}

/** The time limit for the form, in seconds. */
const VALID_SECONDS = 15 * 60;

/**
 * The steps after a provider has confirmed an unlinked external user: the user registers, or signs in to an account and
 * links it. Users are never found by email address or name.
 */
export function createExternalStep(
  context: SignInContext,
  { pendingLinks, askAgain, findExpected, signIn }: ExternalStepOptions,
) {
  const { db, clock, runTogether, formTokens } = context;
  const sealed = createSealedValues<ConfirmedExternal>(context, { column: "external", validSeconds: VALID_SECONDS });
  const step: SignInStep = { postForm };

  return { step, handleUnlinked };

  /** Called when the browser returns from the provider with an external user who is not linked to any user. */
  async function handleUnlinked(
    visit: Visit,
    request: SignInRequest,
    idp: SignInIdp,
    external: ConfirmedExternal,
  ): Promise<PageResponse> {
    const mayRegister = await isFreeToRegister(visit, request);
    if (!mayRegister || !idp.autoRegister) {
      return unknownUserPage(request, visit, idp, { ...toForm(request, external), mayRegister });
    }
    const fields = suggestRegistration(idp, external.user);
    return await register(visit, request, idp, external, fields, (problem) => {
      // The user has not entered anything yet, so a missing value is not an error.
      const { isNameTaken } = problem;
      return registerPage(request, visit, idp, { ...toForm(request, external), fields, ...(isNameTaken && problem) });
    });
  }

  async function postForm(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    const external = sealed.open(request.id, form.get("external") ?? "");
    if (external === undefined) return askAgain(visit, request);
    const { caller } = visit;
    const idp = await findSignInIdp({ db, caller }, { orgId: request.org.id, idpId: external.idpId });
    if (idp === undefined) return askAgain(visit, request, IDP_TEXTS[visit.language].errors.gone);
    const mayRegister = await isFreeToRegister(visit, request);
    const action = form.get("do");
    if (action === IDP_ACTIONS.toLink) {
      const { id: externalUserId } = external.user;
      const link = { idpId: idp.id, externalUserId, displayName: toLinkName(idp, external.user) };
      return redirect(stepPath(request, "signIn"), [pendingLinks.toHeader(request, link)]);
    }
    if (mayRegister && action === IDP_ACTIONS.toRegister) {
      const fields = suggestRegistration(idp, external.user);
      return registerPage(request, visit, idp, { ...toForm(request, external), fields });
    }
    if (mayRegister && action === IDP_ACTIONS.register) {
      const fields = readFields(form);
      return await register(visit, request, idp, external, fields, (problem) =>
        registerPage(request, visit, idp, { ...toForm(request, external), fields, ...problem }),
      );
    }
    return unknownUserPage(request, visit, idp, { ...toForm(request, external), mayRegister });
  }

  /** Registers and signs in the user, or returns the page for the problem. */
  async function register(
    visit: Visit,
    request: SignInRequest,
    idp: SignInIdp,
    { user, remember }: ConfirmedExternal,
    fields: RegistrationFields,
    refuse: (problem: Pick<RegisterForm, "invalid" | "isNameTaken">) => PageResponse,
  ): Promise<PageResponse> {
    const checked = await checkRegistration(idp, user, fields);
    if (!checked.ok) return refuse({ invalid: checked.invalid });
    const { caller } = visit;
    const values = { orgId: request.org.id, idp, registration: checked.human };
    const outcome = await registerExternalUser({ runTogether, clock, caller }, values);
    switch (outcome.kind) {
      case "name-taken":
        return refuse({ isNameTaken: true });
      case "idp-removed":
        return askAgain(visit, request, IDP_TEXTS[visit.language].errors.gone);
      case "registered":
      case "link-taken":
        // The user was registered here, or concurrently in another tab.
        return (await signIn(visit, request, idp, user.id, remember)) ?? askAgain(visit, request);
      default:
        return outcome satisfies never;
    }
  }

  /** If the application requires a specific user, a new user cannot sign in to it. */
  async function isFreeToRegister(visit: Visit, request: SignInRequest): Promise<boolean> {
    return (await findExpected(visit, request)) === undefined;
  }

  function toForm(request: SignInRequest, external: ConfirmedExternal) {
    return { token: formTokens.create(request.id), external: sealed.seal(request.id, external) };
  }
}

function readFields(form: URLSearchParams): RegistrationFields {
  const read = (name: keyof RegistrationFields) => (form.get(name) ?? "").trim();
  return { userName: read("userName"), firstName: read("firstName"), lastName: read("lastName"), email: read("email") };
}
