import { createSealedValues } from "../../../crypto/sealed-values.ts";
import { html } from "../../../html.ts";
import { checkOneTimeCode } from "../../../sign-in/code/check-one-time-code.ts";
import { openOneTimeCode } from "../../../sign-in/code/one-time-code.ts";
import { addOneTimeCode } from "../../../sign-in/code/one-time-code-changes.ts";
import { createTotpSecret, findFirstStep } from "../../../sign-in/code/totp.ts";
import { findSignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { nameIdentifier } from "../../../sign-in/identifier.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { signInWithPassword } from "../../../sign-in/password/sign-in-with-password.ts";
import { removeOneTimeCode } from "../../../users/credentials/remove-one-time-code.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { createSealedCookie } from "../../frame/cookies.ts";
import { DEVICE_COOKIE } from "../../frame/device-cookie.ts";
import { field, PASSWORD_FIELD_SCRIPT, passwordField } from "../../frame/field.ts";
import { createShown, SHOWN } from "../../frame/kept-page.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import { renderPage } from "../../frame/render-page.ts";
import { redirect, withCookies } from "../../frame/responses.ts";
import { tooOften } from "../../sign-in/checks.ts";
import { secretForm } from "../../sign-in/code/new-codes.ts";
import { RECOVERY_ATTRIBUTES } from "../../sign-in/code/one-time-code.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { unlessGone } from "../first-page/show-account.ts";
import { formPage, problemOf } from "../form-page.ts";
import { PATHS, withQuery } from "../paths.ts";
import { showCodes } from "./recovery-codes.ts";

/** How long a user may take to enter the first code of a secret. */
const SET_UP_SECONDS = 15 * 60;

/** A secret is stored once its first code has been entered. Until then, only the form contains it. */
const SEALED_SECRETS = createSealedValues<string>({
  table: "account",
  column: "one-time-code",
  validSeconds: SET_UP_SECONDS,
});

/** `/ui/account/one-time-code`: sets up and removes the one-time codes of the signed-in user. */
export const ONE_TIME_CODE_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.oneTimeCode]: accountRoute({ isSensitive: true, show: openSetUp, submit: submitSetUp }),
  [PATHS.removeOneTimeCode]: accountRoute({ isSensitive: false, show: showRemove, submit: submitRemove }),
};

async function openSetUp(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): Promise<PageResponse> {
  if (openOneTimeCode(parts.keyring, visit.account) !== undefined) return redirect(ACCOUNT_PATH);
  // A problem is that of a form without a valid token.
  if (problem !== undefined) return redirectToSetUp(parts, visit, { base32: createTotpSecret(), problem: "stale" });
  const { texts } = visit.language;
  const kept = findKeptSetUp(parts, visit);
  const problems = { wrong: texts.signIn.oneTimeCode.wrong, stale: texts.account.stale };
  return await showSetUp(parts, visit, kept?.base32 ?? createTotpSecret(), kept && problems[kept.problem]);
}

async function submitSetUp(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { caller, session, account } = visit;
  const base32 = SEALED_SECRETS.open(parts, session.id, form.get("secret") ?? "");
  if (base32 === undefined) return redirectToSetUp(parts, visit, { base32: createTotpSecret(), problem: "stale" });
  const step = findFirstStep(base32, form.get("code") ?? "", parts.clock());
  if (step === undefined) return redirectToSetUp(parts, visit, { base32, problem: "wrong" });
  if (openOneTimeCode(parts.keyring, account) !== undefined) return redirect(ACCOUNT_PATH);
  caller.throwIfOver();
  const codes = await addOneTimeCode(parts, account, { base32, step, former: account.otpCode }, caller);
  const next = codes === undefined ? redirect(ACCOUNT_PATH) : showCodes(parts, visit, codes);
  return withCookies(next, [SET_UP_COOKIE.forget(parts)]);
}

async function showSetUp(
  parts: AccountParts,
  visit: AccountVisit,
  base32: string,
  problem: string | undefined,
): Promise<PageResponse> {
  const { language, session, account } = visit;
  const secret = { base32, sealed: SEALED_SECRETS.seal(parts, session.id, base32), problem };
  const hidden = html`<input type="hidden" name="token" value="${parts.formTokens.create(session.id)}">`;
  return renderPage({
    status: problem === undefined ? 200 : 422,
    language,
    title: language.texts.accountForms.setUpCodes.title,
    content: html`${await secretForm(parts, visit, account, secret, { action: PATHS.oneTimeCode, hidden })}
<p class="cancel"><a href="${ACCOUNT_PATH}">${language.texts.account.cancel}</a></p>`,
  });
}

/** Asks for the password or a code before one-time codes are removed. */
function showRemove(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): PageResponse {
  const { language, account } = visit;
  if (openOneTimeCode(parts.keyring, account) === undefined) return redirect(ACCOUNT_PATH);
  const { userName, hasPassword } = account;
  const { text, textWithPassword, code, or, ...texts } = language.texts.accountForms.removeCodes;
  const fields = html`<input type="text" name="username" value="${userName}" autocomplete="username" hidden>
${
  hasPassword &&
  html`${passwordField(language, {
    name: "password",
    label: language.texts.signIn.password,
    error: problemOf(problem, "password"),
    attributes: html`autocomplete="current-password"`,
  })}
<p class="or">${or}</p>`
}
${field({ name: "code", label: code, error: problemOf(problem, "code"), attributes: RECOVERY_ATTRIBUTES })}`;
  return formPage(parts, visit, {
    action: PATHS.removeOneTimeCode,
    texts: { ...texts, text: hasPassword ? textWithPassword : text },
    fields,
    scripts: hasPassword ? [PASSWORD_FIELD_SCRIPT] : [],
    isDangerous: true,
    problem,
  });
}

/** Requires the password, a one-time code or a recovery code, because an open session alone must not be enough. */
async function submitRemove(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, caller, request, session, account } = visit;
  const user = await findSignInUser(parts, account.id, caller);
  if (user === undefined || user.otpCode === null) return redirect(ACCOUNT_PATH);
  const { orgId, userName } = user;
  const password = form.get("password") ?? "";
  const code = form.get("code") ?? "";
  const from = { address: request.address, deviceCookie: DEVICE_COOKIE.read(parts, visit) };
  const field = password === "" ? "code" : "password";
  const outcome =
    field === "password"
      ? await signInWithPassword(parts, { orgId, identifier: nameIdentifier(userName), password, ...from }, caller)
      : await checkOneTimeCode(parts, user, { code, ...from }, caller);
  switch (outcome.kind) {
    case "failed": {
      const text =
        field === "password" ? language.texts.accountForms.password.wrong : language.texts.signIn.oneTimeCode.wrong;
      return showRemove(parts, visit, { field, text });
    }
    case "too-often":
      return showRemove(parts, visit, { field, ...tooOften(outcome.retrySeconds, language) });
    case "proved":
      return await unlessGone(parts, visit, "codes-removed", () =>
        removeOneTimeCode(parts, { userId: user.id }, toOwnCall(user, caller, session.id)),
      );
    default:
      return outcome satisfies never;
  }
}

/** The data for showing the page again after a rejected first code. The page itself, with its QR code, is too large for a cookie. */
interface KeptSetUp {
  /** The value of `SHOWN` in the URL of the page. */
  readonly shown: string;
  /** The secret. It is stored nowhere else until its first code has been entered. */
  readonly base32: string;
  readonly problem: "wrong" | "stale";
}

/** Deleted once the secret is stored. */
const SET_UP_COOKIE = createSealedCookie<KeptSetUp>("signet-one-time-code", {
  table: "account",
  column: "one-time-code page",
  validSeconds: SET_UP_SECONDS,
});

/** Redirects to the page that shows the secret, and says why the form was rejected. */
function redirectToSetUp(
  parts: AccountParts,
  { session }: AccountVisit,
  rejected: Omit<KeptSetUp, "shown">,
): PageResponse {
  const shown = createShown();
  const cookie = SET_UP_COOKIE.header(parts, session.id, { ...rejected, shown });
  return redirect(withQuery(PATHS.oneTimeCode, { [SHOWN]: shown }), [cookie]);
}

/** The data for the URL; undefined if there is none, or if that of another page has replaced it. */
function findKeptSetUp(parts: AccountParts, visit: AccountVisit): KeptSetUp | undefined {
  const kept = SET_UP_COOKIE.read(parts, visit, visit.session.id);
  return kept?.shown === visit.request.query.get(SHOWN) ? kept : undefined;
}
