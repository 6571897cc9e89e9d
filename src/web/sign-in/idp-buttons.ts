import { type Html, html } from "../../html.ts";
import type { OfferedIdp } from "../../idps/find-sign-in-idp.ts";
import { STYLING_TYPE } from "../../idps/stored-numbers.ts";
import { iconOf } from "./icon-of.ts";
import { ICONS_OF_PROVIDERS } from "./icons.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/**
 * The buttons that start a sign-in with a provider. They submit the sign-in form to a different URL, so that "Keep me
 * signed in" applies to them too.
 *
 * @param formId The id of the sign-in form.
 */
export function idpButtons({ signIn, language, idps }: SignInVisit, formId: string): Html {
  const texts = language.texts.signIn.idp;
  const isSeveral = idps.filter(isGoogle).length > 1;
  return html`${idps.map((idp) => {
    const attributes = html`form="${formId}" name="idp" value="${idp.id}" formaction="${stepPath(signIn, "idp")}" formnovalidate`;
    const icon = ICONS_OF_PROVIDERS[iconOf(idp)];
    return isGoogle(idp)
      ? html`<button class="google" ${attributes}>${icon}<span>${texts.google}${isSeveral && html` <span class="spoken">(${idp.name})</span>`}</span></button>\n${isSeveral && html`<p class="small">${idp.name}</p>\n`}`
      : html`<button class="secondary" ${attributes}>${icon}<span>${texts.button(idp.name)}</span></button>\n`;
  })}`;
}

function isGoogle({ kind, stylingType }: OfferedIdp): boolean {
  return kind === "google" || stylingType === STYLING_TYPE.google;
}
