import { create } from "@bufbuild/protobuf";
import {
  AddPasswordlessRegistrationRequestSchema,
  RemoveHumanLinkedIDPRequestSchema,
  RemoveHumanPasswordlessRequestSchema,
} from "../../../gen/signet/v1/user_credential_pb.js";
import { SignetError } from "../../errors.ts";
import { html } from "../../messages/html.ts";
import { openOneTimeCode } from "../../sign-in/one-time-code.ts";
import { replaceRecoveryCodes } from "../../sign-in/one-time-code-changes.ts";
import { toOwnCall } from "../../sign-in/own-call.ts";
import { type Account, readAccount } from "../../sign-in/read-account.ts";
import { addPasskeyRegistration } from "../../users/add-passkey-registration.ts";
import { removeIdpLink } from "../../users/remove-idp-link.ts";
import { removePasskey } from "../../users/remove-passkey.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { renderPage } from "../frame/render-page.ts";
import { ACCOUNT_PATH } from "../frame/sign-in-link.ts";
import type { AccountContext, SignedInVisit } from "./account-context.ts";
import { ACTIONS, accountPage } from "./account-page.ts";
import { createOneTimeCodeRoutes } from "./one-time-code.ts";
import { recoveryCodesPage } from "./one-time-code-pages.ts";
import { createPasswordChangeRoutes } from "./password-change.ts";
import { askAgain, isRecent } from "./recent-sign-in.ts";
import { SIGNED_IN_PATH } from "./sessions.ts";
import { ACCOUNT_TEXTS } from "./texts/account-texts.ts";

/** `/ui/account`: the account of the signed-in user (docs/pages.md). */
export function createAccountRoutes(context: AccountContext): PageRoutes {
  const { db, clock, keyring, sessions, formTokens } = context;

  return {
    [ACCOUNT_PATH]: {
      get: (visit) => withSession(visit, show),
      postForm: (visit, form) =>
        withSession(visit, (found) =>
          formTokens.isValid(found.session.id, form.get("token"))
            ? act(found, form)
            : show(found, ACCOUNT_TEXTS[visit.language].stale),
        ),
    },
    [SIGNED_IN_PATH]: {
      async get(visit) {
        const session = await sessions.find(visit.request.headers.cookie);
        if (session !== undefined) return redirect(ACCOUNT_PATH);
        // The user canceled, or the organization does not exist. Another redirect could cause an endless loop.
        return visit.request.query.has("error") ? notSignedInPage(visit) : noCookiesPage(visit);
      },
    },
    ...createPasswordChangeRoutes(context, withSession),
    ...createOneTimeCodeRoutes(context, withSession),
  };

  async function withSession(
    visit: Visit,
    act: (found: SignedInVisit) => Promise<PageResponse>,
  ): Promise<PageResponse> {
    const session = await sessions.find(visit.request.headers.cookie);
    const account = session && (await readAccount({ db, caller: visit.caller }, session.userId));
    if (session !== undefined && account !== undefined) return await act({ visit, session, account });
    const orgId = visit.request.query.get("org");
    return redirect(sessions.signInUrl(orgId === null ? {} : { orgId }));
  }

  async function show({ visit, session, account }: SignedInVisit, problem?: string): Promise<PageResponse> {
    const all = await sessions.list(session.userId);
    const token = formTokens.create(session.id);
    const { language } = visit;
    const hasOneTimeCode = openOneTimeCode(keyring, account) !== undefined;
    const page = { language, account, hasOneTimeCode, session, sessions: all, token };
    return accountPage({ ...page, ...(problem && { problem }) });
  }

  async function act(found: SignedInVisit, form: URLSearchParams): Promise<PageResponse> {
    const { visit, session, account } = found;
    const { userId } = session;
    const id = form.get("id") ?? "";
    const action = form.get("do") ?? "";
    if (CHANGES.has(action) && !isRecent(clock, session)) return askAgain(sessions, account);
    if (REMOVALS.has(action) && !hasOtherWay(account)) return await show(found, ACCOUNT_TEXTS[visit.language].onlyWay);
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
      case ACTIONS.addPasskey:
        return redirect(await createPasskeyLink(found));
      case ACTIONS.removePasskey:
        return await change(found, (call) =>
          removePasskey(context, create(RemoveHumanPasswordlessRequestSchema, { userId, tokenId: id }), call),
        );
      case ACTIONS.removeIdpLink: {
        const linkedUserId = form.get("external") ?? "";
        const request = create(RemoveHumanLinkedIDPRequestSchema, { userId, idpId: id, linkedUserId });
        return await change(found, (call) => removeIdpLink(context, request, call));
      }
      case ACTIONS.newRecoveryCodes: {
        const codes = await replaceRecoveryCodes(context, account);
        return codes === undefined
          ? await show(found, ACCOUNT_TEXTS[visit.language].stale)
          : recoveryCodesPage(visit, codes);
      }
      default:
        return await show(found, ACCOUNT_TEXTS[visit.language].stale);
    }
  }

  async function createPasskeyLink({ visit, session, account }: SignedInVisit): Promise<string> {
    const { userId } = session;
    const call = toOwnCall(account, visit.caller);
    const request = create(AddPasswordlessRegistrationRequestSchema, { userId });
    return (await addPasskeyRegistration(context, request, call)).link;
  }

  /** Runs an operation that ends the other sessions of the user. */
  async function change(
    found: SignedInVisit,
    operation: (call: ReturnType<typeof toOwnCall>) => Promise<unknown>,
  ): Promise<PageResponse> {
    const { visit, session, account } = found;
    try {
      await operation(toOwnCall(account, visit.caller, session.id));
    } catch (error) {
      // Already removed, for instance in another tab.
      const isGone = error instanceof SignetError && /^(PASSKEY|IDP_LINK)_NOT_FOUND$/.test(error.reason);
      if (!isGone) throw error;
      return await show(found, ACCOUNT_TEXTS[visit.language].stale);
    }
    return redirect(ACCOUNT_PATH);
  }
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
