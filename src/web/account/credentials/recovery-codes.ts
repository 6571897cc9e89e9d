import { createSealedValues } from "../../../crypto/sealed-values.ts";
import { html } from "../../../html.ts";
import { openOneTimeCode } from "../../../sign-in/code/one-time-code.ts";
import { replaceRecoveryCodes } from "../../../sign-in/code/one-time-code-changes.ts";
import { createRecoveryCodes } from "../../../sign-in/code/recovery-codes.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { createCookie } from "../../frame/cookies.ts";
import { done, problemParagraph } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import { renderPage } from "../../frame/render-page.ts";
import { redirect } from "../../frame/responses.ts";
import { codesHeading, codesList, RECOVERY_CODES_SCRIPT } from "../../sign-in/code/new-codes.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { PATHS } from "../paths.ts";

/** Shows the recovery codes of a new setup, and replaces recovery codes. */
export const RECOVERY_CODE_ROUTES: PageRoutes<AccountParts> = {
  ...RECOVERY_CODES_SCRIPT.routes,
  [PATHS.recoveryCodes]: accountRoute({ isSensitive: true, show: showStored, submit: confirmStored }),
  [PATHS.newRecoveryCodes]: accountRoute({ isSensitive: true, show: showNew, submit: replace }),
};

/** How long a user may take to save the codes. */
const VALID_SECONDS = 15 * 60;

/** Only the browser has the codes, encrypted, until the user has saved them. */
const SEALED_CODES = createSealedValues<readonly string[]>({
  table: "account",
  column: "recovery codes",
  validSeconds: VALID_SECONDS,
});

const COOKIE = createCookie("signet-recovery-codes", VALID_SECONDS);

/** The redirect to the page that shows codes that were just stored, with a cookie that contains them encrypted. */
export function showCodes(parts: AccountParts, { session }: AccountVisit, codes: readonly string[]): PageResponse {
  return redirect(PATHS.recoveryCodes, [COOKIE.header(parts, SEALED_CODES.seal(parts, session.id, codes))]);
}

function showStored(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): PageResponse {
  const { language, session } = visit;
  const codes = SEALED_CODES.open(parts, session.id, COOKIE.read(parts, visit));
  if (codes === undefined) return redirect(ACCOUNT_PATH);
  const { recoveryCodes: texts } = language.texts.accountForms;
  return recoveryCodesPage(parts, visit, {
    codes,
    action: PATHS.recoveryCodes,
    texts: { title: texts.title, text: texts.text, submit: texts.done },
    problem,
  });
}

/** Deletes the cookie with the codes. */
async function confirmStored(parts: AccountParts): Promise<PageResponse> {
  return done(parts, "codes-added", [COOKIE.forget(parts)]);
}

/** Shows new codes, which replace the stored ones once the user confirms that they are saved. */
function showNew(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): PageResponse {
  const { language, session, account } = visit;
  if (openOneTimeCode(parts.keyring, account) === undefined) return redirect(ACCOUNT_PATH);
  const codes = createRecoveryCodes();
  const { newRecoveryCodes, recoveryCodes } = language.texts.accountForms;
  return recoveryCodesPage(parts, visit, {
    codes,
    sealed: SEALED_CODES.seal(parts, session.id, codes),
    action: PATHS.newRecoveryCodes,
    texts: { ...newRecoveryCodes, text: `${newRecoveryCodes.text} ${recoveryCodes.text}` },
    problem,
  });
}

async function replace(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, session, account, caller } = visit;
  const codes = SEALED_CODES.open(parts, session.id, form.get("codes") ?? "");
  const isReplaced = codes !== undefined && (await replaceRecoveryCodes(parts, account, codes, caller));
  if (!isReplaced) return showNew(parts, visit, { text: language.texts.account.stale });
  return done(parts, "recovery-codes-replaced");
}

interface RecoveryCodesPage {
  readonly codes: readonly string[];
  /** The codes, encrypted, if the form has to store them. */
  readonly sealed?: string;
  readonly action: string;
  readonly texts: { readonly title: string; readonly text: string; readonly submit: string };
  readonly problem?: FormProblem | undefined;
}

function recoveryCodesPage(
  { config, formTokens }: AccountParts,
  { language, session, account }: AccountVisit,
  { codes, sealed, action, texts, problem }: RecoveryCodesPage,
): PageResponse {
  const heading = codesHeading(language, account.userName, config.publicUrl);
  return renderPage({
    problem,
    language,
    title: texts.title,
    scripts: [RECOVERY_CODES_SCRIPT],
    content: html`${problem !== undefined && problemParagraph(problem.text)}
<p>${texts.text}</p>
<p class="on-paper">${heading}</p>
${codesList(language, codes, heading)}
<form method="post" action="${action}">
<input type="hidden" name="token" value="${formTokens.create(session.id)}">
${sealed !== undefined && html`<input type="hidden" name="codes" value="${sealed}">`}
<button>${texts.submit}</button>
</form>`,
  });
}
