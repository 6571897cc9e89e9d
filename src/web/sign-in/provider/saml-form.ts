import { html } from "../../../html.ts";
import type { SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import type { WrittenRequest } from "../../../idps/saml/write-request.ts";
import type { PageLanguage } from "../../../texts/page-language.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { createScript } from "../../frame/asset.ts";
import type { PageResponse } from "../../frame/page.ts";
import { stepPage } from "../step-page.ts";

/** The script of the page, which sends its form. */
export const SAML_FORM_SCRIPT = createScript("/ui/saml-form.js", new URL("./saml-form-client.js", import.meta.url));

/** A page whose form takes the request to the provider (SAML 2.0 Bindings, section 3.5). */
export function samlFormPage(
  language: PageLanguage,
  { name }: Pick<SignInIdp, "name">,
  { url, fields }: Extract<WrittenRequest, { binding: "post" }>,
  cookies: readonly string[],
): PageResponse {
  const { button, continue: texts } = language.texts.signIn.idp;
  const hidden = Object.entries(fields).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
  );
  return stepPage(language, {
    title: fillIn(button, { name }),
    scripts: [SAML_FORM_SCRIPT],
    headers: { "set-cookie": cookies },
    content: html`<p>${fillIn(texts.text, { name })}</p>
<form method="post" action="${url}">${hidden}<button>${texts.submit}</button></form>`,
  });
}
