import { randomBytes } from "node:crypto";
import { networkOf } from "../../http/network-of.ts";
import { encodeBase32 } from "../../sign-in/base32.ts";
import { checkOneTimeCode } from "../../sign-in/check-one-time-code.ts";
import { findSignInUser } from "../../sign-in/find-sign-in-user.ts";
import { openOneTimeCode } from "../../sign-in/one-time-code.ts";
import { addOneTimeCode, removeOneTimeCode } from "../../sign-in/one-time-code-changes.ts";
import { createSealedValues } from "../../sign-in/sealed-values.ts";
import { signInWithPassword } from "../../sign-in/sign-in-with-password.ts";
import { findStep, parseTotpSecret, totpUri } from "../../sign-in/totp.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import { readDeviceCookie } from "../frame/device-cookie.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { ONE_TIME_CODE_TEXTS } from "../sign-in/texts/one-time-code-texts.ts";
import { tooOften } from "../sign-in/too-often.ts";
import { ONE_TIME_CODE_PATH, REMOVE_ONE_TIME_CODE_PATH } from "./account-page.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { type RemoveProblem, recoveryCodesPage, removePage, setUpPage } from "./one-time-code-pages.ts";
import { openAccount } from "./open-account.ts";
import { isRecent, signInAgain } from "./recent-sign-in.ts";
import { ACCOUNT_TEXTS } from "./texts/account-texts.ts";

/** 160 bits, the length of SHA-1, as recommended by RFC 4226, section 4. */
const KEY_BYTES = 20;

/** A secret is stored once its first code has been entered. Until then, only the form contains it. */
const SEALED_SECRETS = createSealedValues<string>({
  table: "account",
  column: "one-time-code",
  validSeconds: 15 * 60,
});

/** `/ui/account/one-time-code`: sets up and removes the one-time codes of the signed-in user. */
export const ONE_TIME_CODE_ROUTES: PageRoutes<AccountParts> = {
  [ONE_TIME_CODE_PATH]: { get: openSetUp, postForm: submitSetUp },
  [REMOVE_ONE_TIME_CODE_PATH]: { get: openRemove, postForm: submitRemove },
};

async function openSetUp(parts: AccountParts, given: Visit): Promise<PageResponse> {
  const opened = await openAccount(parts, given);
  if (!opened.ok) return opened.page;
  const { visit } = opened;
  if (openOneTimeCode(parts.keyring, visit.account) !== undefined) return redirect(ACCOUNT_PATH);
  return isRecent(parts, visit) ? showSetUp(parts, visit, createSecret()) : signInAgain(parts, visit);
}

async function submitSetUp(parts: AccountParts, given: Visit, form: URLSearchParams): Promise<PageResponse> {
  const opened = await openAccount(parts, given);
  if (!opened.ok) return opened.page;
  const { visit } = opened;
  const { language, caller, session, account } = visit;
  if (!isRecent(parts, visit)) return signInAgain(parts, visit);
  const base32 = SEALED_SECRETS.open(parts, session.id, form.get("secret") ?? "");
  const secret = base32 === undefined ? undefined : parseTotpSecret(base32);
  if (base32 === undefined || secret === undefined || !parts.formTokens.isValid(session.id, form.get("token"))) {
    return showSetUp(parts, visit, createSecret(), ACCOUNT_TEXTS[language].stale);
  }
  const code = (form.get("code") ?? "").replaceAll(/[-\s]/g, "");
  const step = findStep(secret, code, parts.clock(), null);
  if (step === undefined) return showSetUp(parts, visit, base32, ONE_TIME_CODE_TEXTS[language].wrong);
  if (openOneTimeCode(parts.keyring, account) !== undefined) return redirect(ACCOUNT_PATH);
  caller.throwIfOver();
  const codes = await addOneTimeCode(parts, account, { base32, step, former: account.otpCode });
  return codes === undefined ? redirect(ACCOUNT_PATH) : recoveryCodesPage(visit, codes);
}

function createSecret(): string {
  return encodeBase32(randomBytes(KEY_BYTES));
}

function showSetUp(parts: AccountParts, visit: AccountVisit, base32: string, problem?: string): PageResponse {
  const { session, account } = visit;
  const secret = parseTotpSecret(base32);
  if (secret === undefined) throw new Error("the new secret cannot be read");
  return setUpPage(visit, {
    token: parts.formTokens.create(session.id),
    secret: SEALED_SECRETS.seal(parts, session.id, base32),
    base32,
    uri: totpUri(secret, base32, account.userName),
    userName: account.userName,
    problem,
  });
}

async function openRemove(parts: AccountParts, given: Visit): Promise<PageResponse> {
  const opened = await openAccount(parts, given);
  if (!opened.ok) return opened.page;
  const { visit } = opened;
  const hasOneTimeCode = openOneTimeCode(parts.keyring, visit.account) !== undefined;
  return hasOneTimeCode ? showRemove(parts, visit) : redirect(ACCOUNT_PATH);
}

/** Requires the password, a one-time code or a recovery code, because an open session alone must not be enough. */
async function submitRemove(parts: AccountParts, given: Visit, form: URLSearchParams): Promise<PageResponse> {
  const opened = await openAccount(parts, given);
  if (!opened.ok) return opened.page;
  const { visit } = opened;
  const { language, caller, request, session, account } = visit;
  if (!parts.formTokens.isValid(session.id, form.get("token"))) {
    return showRemove(parts, visit, { status: 422, field: "code", text: ACCOUNT_TEXTS[language].stale });
  }
  const user = await findSignInUser(parts, account.id, caller);
  if (user === undefined || user.otpCode === null) return redirect(ACCOUNT_PATH);
  const { orgId, userName } = user;
  const password = form.get("password") ?? "";
  const code = form.get("code") ?? "";
  const from = { network: networkOf(request.address), deviceCookie: readDeviceCookie(parts, visit) };
  const field = password === "" ? "code" : "password";
  const outcome =
    field === "password"
      ? await signInWithPassword(parts, { orgId, userName, password, ...from }, caller)
      : await checkOneTimeCode(parts, user, { code, ...from }, caller);
  switch (outcome.kind) {
    case "failed": {
      const text = field === "password" ? ACCOUNT_TEXTS[language].password.wrong : ONE_TIME_CODE_TEXTS[language].wrong;
      return showRemove(parts, visit, { status: 422, field, text });
    }
    case "too-often":
      return showRemove(parts, visit, { field, ...tooOften(outcome.retrySeconds, language) });
    case "proved":
      await removeOneTimeCode(parts, user, { keptSession: session.id });
      return redirect(ACCOUNT_PATH);
    default:
      return outcome satisfies never;
  }
}

function showRemove({ formTokens }: AccountParts, visit: AccountVisit, problem?: RemoveProblem): PageResponse {
  const { session, account } = visit;
  const { userName, hasPassword } = account;
  return removePage(visit, { token: formTokens.create(session.id), userName, hasPassword, problem });
}
