import { type Html, html } from "../../../html.ts";
import { totpUri } from "../../../sign-in/code/totp.ts";
import type { PageLanguage } from "../../../texts/page-language.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { createScript } from "../../frame/asset.ts";
import { detailsList } from "../../frame/details-list.ts";
import { field } from "../../frame/field.ts";
import { findServiceName } from "../../frame/find-branding.ts";
import type { Visit } from "../../frame/page.ts";
import { qrCode } from "../../frame/qr-code.ts";
import type { LinkParts } from "../../links/link-parts.ts";
import { CODE_ATTRIBUTES } from "./one-time-code.ts";

/** A new secret of one-time codes. */
interface NewSecret {
  readonly base32: string;
  /** The same, encrypted. */
  readonly sealed: string;
  /** What is wrong with the submitted code. */
  readonly problem: string | undefined;
}

/** Shows a new secret, and asks for its first code. `button`: the attributes of the button. */
export async function secretForm(
  parts: LinkParts,
  { language, caller }: Visit,
  { orgId, userName }: { readonly orgId: string; readonly userName: string },
  { base32, sealed, problem }: NewSecret,
  form: { readonly action: string; readonly hidden: Html; readonly button?: Html; readonly below?: Html },
): Promise<Html> {
  const { text, picture, byHand, submit } = language.texts.accountForms.setUpCodes;
  const issuer = await findServiceName(parts, orgId, caller);
  return html`<p>${text}</p>
${qrCode(totpUri(base32, { issuer, account: userName }), picture)}
<details>
<summary>${byHand}</summary>
<p><code>${base32.match(/.{1,4}/g)?.join(" ") ?? base32}</code></p>
</details>
${detailsList([[language.texts.signIn.userName, userName]])}
<form method="post" action="${form.action}">
${form.hidden}
<input type="hidden" name="secret" value="${sealed}">
${field({
  name: "code",
  label: language.texts.signIn.oneTimeCode.code,
  error: problem,
  attributes: html`${CODE_ATTRIBUTES} required`,
})}
<button${form.button}>${submit}</button>
${form.below}
</form>`;
}

/** Copies and prints the codes. Without it, they can be downloaded. */
export const RECOVERY_CODES_SCRIPT = createScript(
  "/ui/recovery-codes.js",
  new URL("./recovery-codes-client.js", import.meta.url),
);

/** Recovery codes, which cannot be shown again, because only their hashes are stored. */
export function codesList(language: PageLanguage, codes: readonly string[], heading: string): Html {
  const { copy, copied, download, print } = language.texts.accountForms.recoveryCodes;
  const file = [heading, "", ...codes, ""].join("\r\n");
  return html`<ol class="codes" id="codes">
${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ol>
<div class="tools" data-copied="${copied}">
<button type="button" class="secondary" id="copy" hidden>${copy}</button>
<a class="button secondary" download="signet-recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">${download}</a>
<button type="button" class="secondary" id="print" hidden>${print}</button>
</div>
<p role="status" class="small"></p>`;
}

/** The first line of the file with recovery codes. */
export function codesHeading(language: PageLanguage, userName: string, publicUrl: string): string {
  const { host } = new URL(publicUrl);
  return fillIn(language.texts.accountForms.recoveryCodes.fileTitle, { userName, host });
}
