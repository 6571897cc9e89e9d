import { describeEmailProblem } from "../../../fields/email.ts";
import { trimText } from "../../../fields/trim-text.ts";
import { requestRegistration } from "../../../sign-in/register/request-registration.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { ACCOUNT_APP } from "../../frame/account-app.ts";
import type { PageResponse } from "../../frame/page.ts";
import { problemPage } from "../../frame/problem-page.ts";
import { redirect } from "../../frame/responses.ts";
import { offersRegistration } from "../allowed.ts";
import { evenly } from "../checks.ts";
import { showFirstPage } from "../first-page/first-page.ts";
import type { ElsewhereStep, SignInParts, SignInStep, SignInVisit } from "../sign-in-parts.ts";
import { BACK, requestedPage } from "../step-page.ts";
import { OPEN_REGISTRATION, REGISTRATION_PATH, stepPath } from "../steps.ts";
import { showFinish, submitFinish } from "./finish-registration.ts";
import { registrationPage } from "./register-pages.ts";

/**
 * The registration of people: they enter an address, and complete the registration with the link in the email to it
 * (docs/sign-in.md). Before, there is no user, no password is hashed, and nothing is
 * stored but the email and what its link leads to.
 */
export function showRegister(parts: SignInParts, visit: SignInVisit): PageResponse | Promise<PageResponse> {
  const isLink = visit.request.query.has("code");
  return isLink ? showFinish(parts, visit, visit.signIn.id, visit) : showRegistration(parts, visit, "");
}

export const submitRegister: SignInStep["postForm"] = async (parts, visit, form) => {
  const isLink = form.has("code");
  return isLink
    ? await submitFinish(parts, visit, visit.signIn.id, form, visit)
    : await submitAddress(parts, visit, form);
};

/** The link, in another browser. */
export const registerElsewhere: ElsewhereStep = {
  get: (parts, visit, id) => showFinish(parts, visit, id),
  postForm: async (parts, visit, id, form) => {
    const app = { id: visit.request.query.get("app") ?? "" };
    const result = form.has("code") ? await submitFinish(parts, visit, id, form) : undefined;
    return result !== undefined && "status" in result ? result : redirect(stepPath({ id, app }, "signIn"));
  },
};

function showRegistration(parts: SignInParts, visit: SignInVisit, email: string): PageResponse {
  const { signIn } = visit;
  return offersRegistration(parts, signIn)
    ? registrationPage(parts, visit, email)
    : redirect(stepPath(signIn, "signIn"));
}

/**
 * Sends the email. The response is the same whether or not the address has an account. Each request counts as a failure
 * for the address of the client, because people need few.
 */
async function submitAddress(parts: SignInParts, visit: SignInVisit, form: URLSearchParams): Promise<PageResponse> {
  const { request, signIn, caller, language } = visit;
  if (!offersRegistration(parts, signIn)) return redirect(stepPath(signIn, "signIn"));
  const action = form.get("do");
  // On the first page, an address may be entered as the user name.
  if (action === OPEN_REGISTRATION) return showRegistration(parts, visit, toAddress(form.get("username") ?? ""));
  const email = trimText(form.get("email") ?? "");
  if (action === BACK) return await showFirstPage(parts, visit, undefined, email);
  if (describeEmailProblem(email) !== undefined) return registrationPage(parts, visit, email, true);
  const { limit } = parts;
  const retrySeconds = limit.secondsBlocked(request.address) ?? (await limit.countFailure(request.address, caller));
  if (retrySeconds !== undefined) return problemPage("too-many", visit, { retrySeconds });
  const registration = {
    orgId: signIn.org.id,
    email,
    language: language.tag,
    appId: signIn.app.id,
    signInId: signIn.id,
    toPaths: (code: string) => ({
      register: `${REGISTRATION_PATH}?${new URLSearchParams({ code, app: signIn.app.id })}`,
      signIn: stepPath(signIn, "signIn"),
      app: signIn.app.id === ACCOUNT_APP.id ? undefined : signIn.app.name,
    }),
  };
  await evenly(requestRegistration(parts, registration, caller));
  const { title, text } = language.texts.signIn.registration.sent;
  const texts = { title, text: fillIn(text, { email }) };
  return requestedPage(parts, visit, texts, { step: "register", name: "email", value: email });
}

function toAddress(entered: string): string {
  const address = trimText(entered);
  return describeEmailProblem(address) === undefined ? address : "";
}
