import { type Html, html } from "../../html.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** Leads from a later step to the first page, where another user can sign in. */
export function backToSignIn({ signIn, language }: Pick<SignInVisit, "signIn" | "language">): Html {
  return html`<p class="cancel"><a href="${stepPath(signIn, "signIn")}">${language.texts.signIn.reset.back}</a></p>`;
}
