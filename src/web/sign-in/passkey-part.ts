import { type Html, html } from "../../html.ts";
import type { PasskeyDescriptor } from "../../passkeys/find-passkeys.ts";
import { createPasskeyScript } from "../links/passkey-script.ts";
import { PASSKEY_ICON } from "./icons.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** The script of the pages with a `passkeyPart`. */
export const PASSKEY_SIGN_IN_SCRIPT = createPasskeyScript(
  "/ui/passkey-sign-in.js",
  new URL("./passkey-sign-in-client.js", import.meta.url),
);

/** The argument of `navigator.credentials.get` in JSON (`PublicKeyCredentialRequestOptionsJSON`). */
export interface PasskeyRequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly userVerification: "required";
  /** How long the browser waits for the user, in milliseconds (WebAuthn, section 15.1: 5 to 10 minutes). */
  readonly timeout: number;
  /** The accepted passkeys. If empty, all discoverable passkeys are accepted. */
  readonly allowCredentials: readonly PasskeyDescriptor[];
}

/**
 * The passkey part of a sign-in page: a button, and the options for autofill in the user name field. The button is
 * hidden until the page's script shows it.
 */
export function passkeyPart(
  { signIn, language }: SignInVisit,
  {
    token,
    options,
    step = "passkey",
    proof,
  }: {
    readonly token: string;
    readonly options: PasskeyRequestOptions;
    /** The step to which the response is posted. */
    readonly step?: "passkey" | "secondFactor";
    /** Of a user who has already authenticated. */
    readonly proof?: string;
  },
): Html {
  const { submit, outcomes } = language.texts.signIn.passkey;
  return html`<form id="passkey" class="passkey" method="post" action="${stepPath(signIn, step)}" data-options="${JSON.stringify(options)}" hidden>
<input type="hidden" name="token" value="${token}">
${proof !== undefined && html`<input type="hidden" name="proof" value="${proof}">`}
<template>
${Object.entries(outcomes).map(([outcome, text]) => html`<p data-outcome="${outcome}">${text}</p>\n`)}</template>
<p role="status"></p>
<p role="alert" class="error"></p>
<button type="button" class="secondary">${PASSKEY_ICON}<span>${submit}</span></button>
</form>`;
}
