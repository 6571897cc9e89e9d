import { type Html, html } from "../../html.ts";
import { sealProof } from "../../sign-in/proof.ts";
import type { ProvedUser, SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** The hidden fields of a form for a user who has authenticated. */
export interface GateForm {
  readonly token: string;
  /** See `sealProof`. */
  readonly proof: string;
}

export function toGateForm(parts: SignInParts, { signIn }: SignInVisit, { user, proved }: ProvedUser): GateForm {
  return { token: parts.formTokens.create(signIn.id), proof: sealProof(parts, signIn.id, user, proved) };
}

export function gateFields({ token, proof }: GateForm): Html {
  return html`<input type="hidden" name="token" value="${token}">
<input type="hidden" name="proof" value="${proof}">`;
}

/** Leads from a later step to the first page, where another user can sign in. */
export function backToSignIn({ signIn, language }: Pick<SignInVisit, "signIn" | "language">): Html {
  return html`<p class="cancel"><a href="${stepPath(signIn, "signIn")}">${language.texts.signIn.reset.back}</a></p>`;
}
