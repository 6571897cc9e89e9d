import { html } from "../../html.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderInBranding } from "../frame/render-page.ts";

/**
 * The page after a sign-out that no application has requested.
 *
 * @param orgId The organization of the user, who can sign in to it again; by default, `default`.
 */
export function signedOutPage({ language }: Pick<Visit, "language">, orgId?: string): PageResponse {
  const path = orgId === undefined ? ACCOUNT_PATH : `${ACCOUNT_PATH}?org=${orgId}`;
  return renderInBranding(language.tag, ({ texts }) => {
    const { title, text, signIn } = texts.account.signedOut;
    const content = html`<p>${text}</p>
<p><a class="button" href="${path}">${signIn}</a></p>`;
    return { title, icon: "done", content };
  });
}
