import { type Html, html } from "../../../html.ts";
import type { PasskeyRequestOptions } from "../../../passkeys/ceremony.ts";
import { ceremonyState, createPasskeyScript } from "../../links/passkey-ceremony.ts";
import type { SignInVisit } from "../sign-in-parts.ts";
import { stepPath } from "../steps.ts";
import { PASSKEY_ICON } from "./idp-choice.ts";

/** The script of the pages with a `passkeyPart`. */
export const PASSKEY_SIGN_IN_SCRIPT = createPasskeyScript(
  "/ui/passkey-sign-in.js",
  new URL("./passkey-sign-in-client.js", import.meta.url),
);

/**
 * The passkey part of a sign-in page: a button, and the options for autofill in the user name field. The button is
 * hidden until the page's script shows it.
 */
export function passkeyPart(
  { signIn, language }: SignInVisit,
  {
    hidden,
    options,
    step = "passkey",
    isPreview = false,
  }: {
    /** The hidden fields of the form. */
    readonly hidden: Html;
    readonly options: PasskeyRequestOptions;
    /** The step to which the response is posted. */
    readonly step?: "passkey" | "second-factor";
    /** Whether it is shown without a script. */
    readonly isPreview?: boolean | undefined;
  },
): Html {
  const { submit, outcomes } = language.texts.signIn.passkey;
  return html`<form id="passkey" class="passkey" method="post" action="${stepPath(signIn, step)}" data-options="${JSON.stringify(options)}"${!isPreview && html` hidden`}>
${hidden}
${ceremonyState(outcomes)}
<button type="button" class="secondary">${PASSKEY_ICON}<span>${submit}</span></button>
</form>`;
}
