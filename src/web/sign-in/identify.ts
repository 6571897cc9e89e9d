import { toDomain } from "../../fields/domain.ts";
import { trimText } from "../../fields/trim-text.ts";
import { html } from "../../html.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { field } from "../frame/field.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/responses.ts";
import { evenly } from "./checks.ts";
import { identifierTexts } from "./identifier-texts.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPage } from "./step-page.ts";
import { CANCEL, OTHER_IDENTIFIER, stepPath } from "./steps.ts";

/** In characters. Those of users are shorter. */
const LONGEST_IDENTIFIER = 500;

/** The form for the identifier, whose domain chooses the organization. */
export function identifyPage({ formTokens }: SignInParts, visit: SignInVisit): PageResponse {
  const { signIn, language } = visit;
  const { titleFor, cancel, discovery } = language.texts.signIn;
  return stepPage(language, {
    title: fillIn(titleFor, { app: signIn.app.name }),
    content: html`<form method="post" action="${stepPath(signIn, "identify")}">
<input type="hidden" name="token" value="${formTokens.create(signIn.id)}">
${field({
  name: "username",
  label: identifierTexts(visit).label,
  attributes: html`type="text" value="${signIn.loginHint ?? ""}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus`,
})}
<button>${discovery.next}</button>
<p class="cancel"><button class="link" name="do" value="${CANCEL}" formnovalidate>${cancel}</button></p>
</form>`,
  });
}

/**
 * Chooses the organization. The response is the same for every identifier, and depends on the domain only: nothing is
 * looked up about users. The page that follows is that of the organization.
 */
export async function submitIdentifier(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { signIn, caller } = visit;
  if (form.get("do") === CANCEL) return redirect(await parts.interactions.decline(signIn));
  if (signIn.discovery === undefined) return redirect(stepPath(signIn, "signIn"));
  const identifier = trimText(form.get("username") ?? "").slice(0, LONGEST_IDENTIFIER);
  const asksAgain = form.get("do") === OTHER_IDENTIFIER || identifier === "";
  const at = identifier.lastIndexOf("@");
  const domain = at === -1 ? "" : toDomain(identifier.slice(at + 1));
  caller.throwIfOver();
  await evenly(parts.interactions.chooseOrg(signIn, asksAgain ? undefined : { identifier, domain }));
  return redirect(stepPath(signIn, "signIn"));
}
