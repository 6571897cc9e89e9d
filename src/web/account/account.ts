import { create } from "@bufbuild/protobuf";
import {
  AddPasswordlessRegistrationRequestSchema,
  RemoveHumanLinkedIDPRequestSchema,
  RemoveHumanPasswordlessRequestSchema,
} from "../../../gen/signet/v1/user_credential_pb.js";
import type { Call } from "../../call.ts";
import { SignetError } from "../../errors.ts";
import { html } from "../../messages/html.ts";
import { openOneTimeCode } from "../../sign-in/one-time-code.ts";
import { replaceRecoveryCodes } from "../../sign-in/one-time-code-changes.ts";
import { toOwnCall } from "../../sign-in/own-call.ts";
import type { Account } from "../../sign-in/read-account.ts";
import { addPasskeyRegistration } from "../../users/add-passkey-registration.ts";
import { removeIdpLink } from "../../users/remove-idp-link.ts";
import { removePasskey } from "../../users/remove-passkey.ts";
import { ACCOUNT_PATH, SIGNED_IN_PATH } from "../frame/account-app.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { renderPage } from "../frame/render-page.ts";
import { ACTIONS, accountPage } from "./account-page.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { ONE_TIME_CODE_ROUTES } from "./one-time-code.ts";
import { recoveryCodesPage } from "./one-time-code-pages.ts";
import { openAccount } from "./open-account.ts";
import { PASSWORD_CHANGE_ROUTES } from "./password-change.ts";
import { isRecent, signInAgain } from "./recent-sign-in.ts";
import { ACCOUNT_TEXTS } from "./texts/account-texts.ts";

/** `/ui/account`: the account of the signed-in user (docs/pages.md). */
export const ACCOUNT_ROUTES: PageRoutes<AccountParts> = {
  [ACCOUNT_PATH]: { get: open, postForm: submit },
  [SIGNED_IN_PATH]: { get: continueSignedIn },
  ...PASSWORD_CHANGE_ROUTES,
  ...ONE_TIME_CODE_ROUTES,
};

async function open(parts: AccountParts, visit: Visit): Promise<PageResponse> {
  const opened = await openAccount(parts, visit);
  return opened.ok ? await show(parts, opened.visit) : opened.page;
}

async function show(parts: AccountParts, visit: AccountVisit, problem?: string): Promise<PageResponse> {
  const { language, session, account } = visit;
  const sessions = await parts.sessions.list(session.userId);
  const token = parts.formTokens.create(session.id);
  const hasOneTimeCode = openOneTimeCode(parts.keyring, account) !== undefined;
  return accountPage({ language, account, hasOneTimeCode, session, sessions, token, problem });
}

async function submit(parts: AccountParts, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  const opened = await openAccount(parts, visit);
  return opened.ok ? await act(parts, opened.visit, form) : opened.page;
}

async function act(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, session, account } = visit;
  const { sessions } = parts;
  const { userId } = session;
  const { stale, onlyWay } = ACCOUNT_TEXTS[language];
  if (!parts.formTokens.isValid(session.id, form.get("token"))) return await show(parts, visit, stale);
  const id = form.get("id") ?? "";
  const action = form.get("do") ?? "";
  if (CHANGES.has(action) && !isRecent(parts, visit)) return signInAgain(parts, visit);
  if (REMOVALS.has(action) && !hasOtherWay(account)) return await show(parts, visit, onlyWay);
  switch (action) {
    case ACTIONS.signOut:
      await sessions.end(userId, [session.id]);
      return signedOutPage(visit);
    case ACTIONS.signOutEverywhere:
      await sessions.endAll(userId);
      return signedOutPage(visit);
    case ACTIONS.endSession:
      await sessions.end(userId, [id]);
      return redirect(ACCOUNT_PATH);
    case ACTIONS.addPasskey: {
      const request = create(AddPasswordlessRegistrationRequestSchema, { userId });
      const { link } = await addPasskeyRegistration(parts, request, toOwnCall(account, visit.caller));
      return redirect(link);
    }
    case ACTIONS.removePasskey: {
      const request = create(RemoveHumanPasswordlessRequestSchema, { userId, tokenId: id });
      return await removeWay(parts, visit, (call) => removePasskey(parts, request, call));
    }
    case ACTIONS.removeIdpLink: {
      const linkedUserId = form.get("external") ?? "";
      const request = create(RemoveHumanLinkedIDPRequestSchema, { userId, idpId: id, linkedUserId });
      return await removeWay(parts, visit, (call) => removeIdpLink(parts, request, call));
    }
    case ACTIONS.newRecoveryCodes: {
      const codes = await replaceRecoveryCodes(parts, account);
      return codes === undefined ? await show(parts, visit, stale) : recoveryCodesPage(visit, codes);
    }
    default:
      return await show(parts, visit, stale);
  }
}

/** Removes a way to sign in, and ends the other sessions of the user. */
async function removeWay(
  parts: AccountParts,
  visit: AccountVisit,
  operation: (call: Call) => Promise<unknown>,
): Promise<PageResponse> {
  const { language, session, account, caller } = visit;
  try {
    await operation(toOwnCall(account, caller, session.id));
    return redirect(ACCOUNT_PATH);
  } catch (error) {
    // Already removed, for instance in another tab.
    const isGone = error instanceof SignetError && /^(PASSKEY|IDP_LINK)_NOT_FOUND$/.test(error.reason);
    if (!isGone) throw error;
    return await show(parts, visit, ACCOUNT_TEXTS[language].stale);
  }
}

/** Redirects to the account after a sign-in to the account page. */
async function continueSignedIn({ sessions }: AccountParts, visit: Visit): Promise<PageResponse> {
  const { headers, query } = visit.request;
  if ((await sessions.find(headers.cookie)) !== undefined) return redirect(ACCOUNT_PATH);
  // The user canceled, or the organization does not exist. Another redirect could cause an endless loop.
  return query.has("error") ? notSignedInPage(visit) : noCookiesPage(visit);
}

/** Actions that change the ways to sign in, which require a recent sign-in. */
const CHANGES: ReadonlySet<string> = new Set([
  ACTIONS.addPasskey,
  ACTIONS.removePasskey,
  ACTIONS.removeIdpLink,
  ACTIONS.newRecoveryCodes,
]);

/** Actions that remove a way to sign in. */
const REMOVALS: ReadonlySet<string> = new Set([ACTIONS.removePasskey, ACTIONS.removeIdpLink]);

function hasOtherWay({ hasPassword, passkeys, idpLinks }: Account): boolean {
  return hasPassword || passkeys.length + idpLinks.length > 1;
}

function signedOutPage({ language }: Visit): PageResponse {
  const { title, text, signIn } = ACCOUNT_TEXTS[language].signedOut;
  const content = html`<p>${text}</p>
<p><a class="button" href="${ACCOUNT_PATH}">${signIn}</a></p>`;
  return renderPage({ language, title, icon: "done", content });
}

function notSignedInPage({ language }: Visit): PageResponse {
  const { notSignedIn, signedOut } = ACCOUNT_TEXTS[language];
  const content = html`<p><a class="button" href="${ACCOUNT_PATH}">${signedOut.signIn}</a></p>`;
  return renderPage({ status: 403, language, title: notSignedIn, icon: "problem", content });
}

function noCookiesPage({ language }: Visit): PageResponse {
  const { title, text } = ACCOUNT_TEXTS[language].noCookies;
  return renderPage({ status: 403, language, title, icon: "problem", content: html`<p>${text}</p>` });
}
