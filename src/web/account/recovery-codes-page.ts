import { readFileSync } from "node:fs";
import { html } from "../../html.ts";
import { createAsset } from "../frame/asset.ts";
import type { PageResponse } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import type { FormProblem } from "./account-step.ts";
import { problemParagraph } from "./notice.ts";

/** Copies and prints the codes. Without it, they can be downloaded. */
export const RECOVERY_CODES_SCRIPT = createAsset({
  path: "/ui/recovery-codes.js",
  type: "text/javascript",
  text: readFileSync(new URL("./recovery-codes-client.js", import.meta.url), "utf8"),
});

interface RecoveryCodesPage {
  readonly codes: readonly string[];
  /** The codes, encrypted, if the form has to store them. */
  readonly sealed?: string;
  readonly action: string;
  readonly texts: { readonly title: string; readonly text: string; readonly submit: string };
  readonly problem?: FormProblem | undefined;
}

/** Shows recovery codes. Only their hashes are stored, so they cannot be shown again. */
export function recoveryCodesPage(
  { config, formTokens }: AccountParts,
  { language, session, account }: AccountVisit,
  { codes, sealed, action, texts, problem }: RecoveryCodesPage,
): PageResponse {
  const { copy, copied, download, print, fileTitle } = language.texts.accountForms.recoveryCodes;
  const { host } = new URL(config.publicUrl);
  const heading = fileTitle(account.userName, host);
  const file = [heading, "", ...codes, ""].join("\r\n");
  return renderPage({
    status: problem === undefined ? 200 : 422,
    language,
    title: texts.title,
    scripts: [RECOVERY_CODES_SCRIPT],
    content: html`${problem !== undefined && problemParagraph(problem.text)}
<p>${texts.text}</p>
<p class="on-paper">${heading}</p>
<ol class="codes" id="codes">
${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ol>
<div class="tools" data-copied="${copied}">
<button type="button" class="secondary" id="copy" hidden>${copy}</button>
<a class="button secondary" download="signet-recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">${download}</a>
<button type="button" class="secondary" id="print" hidden>${print}</button>
</div>
<p role="status" class="small"></p>
<form method="post" action="${action}">
<input type="hidden" name="token" value="${formTokens.create(session.id)}">
${sealed !== undefined && html`<input type="hidden" name="codes" value="${sealed}">`}
<button>${texts.submit}</button>
</form>`,
  });
}
