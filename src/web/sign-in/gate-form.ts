import { type Html, html } from "../../html.ts";
import { sealProof } from "../../sign-in/proof.ts";
import type { ProvedUser, SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** The hidden fields of a form for a user who has authenticated: its token and the proof. */
export function gateFields(parts: SignInParts, { signIn }: SignInVisit, { user, proved }: ProvedUser): Html {
  return html`<input type="hidden" name="token" value="${parts.formTokens.create(signIn.id)}">
<input type="hidden" name="proof" value="${sealProof(parts, signIn.id, user, proved)}">`;
}

/** Leads from a later step to the first page, where another user can sign in. */
export function backToSignIn({ signIn, language }: Pick<SignInVisit, "signIn" | "language">): Html {
  return html`<p class="cancel"><a href="${stepPath(signIn, "signIn")}">${language.texts.signIn.reset.back}</a></p>`;
}
