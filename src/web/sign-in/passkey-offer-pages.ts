import { html } from "../../html.ts";
import type { PageResponse } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { passkeyCeremony } from "../links/passkey-ceremony.ts";
import { PASSKEY_SCRIPT } from "../links/passkey-script.ts";
import type { GateForm } from "./gate-form.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** The values of the `do` buttons: to add a passkey, and to not be asked again. */
export const ADD = "add";
export const LATER = "later";

/** Asks whether to add a passkey. */
export function offerPage({ signIn, language }: SignInVisit, { token, proof }: GateForm): PageResponse {
  const { title, text, add, later } = language.texts.signIn.passkeyOffer;
  return renderPage({
    language,
    title,
    leadsAway: true,
    content: html`<p>${text}</p>
<form method="post" action="${stepPath(signIn, "passkeyOffer")}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="proof" value="${proof}">
<button name="do" value="${ADD}">${add}</button>
<button class="secondary" name="do" value="${LATER}">${later}</button>
</form>`,
  });
}

/** Lets the browser create a passkey, then continues with the sign-in. */
export function addPasskeyPage(
  { signIn, language }: SignInVisit,
  { token, proof, code }: GateForm & { readonly code: string },
): PageResponse {
  const { title, intro } = language.texts.links.passkey;
  return renderPage({
    language,
    title,
    leadsAway: true,
    scripts: [PASSKEY_SCRIPT],
    content: html`<p>${intro}</p>
${passkeyCeremony(language, { code })}
<form id="continue" method="post" action="${stepPath(signIn, "passkeyOffer")}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="proof" value="${proof}">
<button class="secondary" name="do" value="${LATER}">${language.texts.signIn.passkeyOffer.without}</button>
</form>`,
  });
}
