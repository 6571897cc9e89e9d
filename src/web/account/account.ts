import { html } from "../../html.ts";
import { ACCOUNT_PATH, SIGNED_IN_PATH } from "../frame/account-app.ts";
import { note } from "../frame/note.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { renderInBranding } from "../frame/render-page.ts";
import type { AccountParts } from "./account-parts.ts";
import { accountRoute } from "./account-step.ts";
import { ONE_TIME_CODE_ROUTES } from "./credentials/one-time-code.ts";
import { PASSKEYS_ROUTES } from "./credentials/passkeys.ts";
import { PASSWORD_CHANGE_ROUTES } from "./credentials/password.ts";
import { RECOVERY_CODE_ROUTES } from "./credentials/recovery-codes.ts";
import { DATA_ROUTES } from "./data/data.ts";
import { REMOVAL_ROUTES } from "./data/removal.ts";
import { showAccount } from "./first-page/show-account.ts";
import { EMAIL_CHANGE_ROUTES } from "./profile/email.ts";
import { LANGUAGE_ROUTES } from "./profile/language.ts";
import { NAME_ROUTES } from "./profile/name.ts";
import { PHONE_CHANGE_ROUTES } from "./profile/phone.ts";
import { USER_NAME_ROUTES } from "./profile/user-name.ts";
import { LINK_ROUTES } from "./provider/links.ts";
import { PROVIDER_TEST_ROUTES } from "./provider/provider-test.ts";
import { returnAfterSignIn } from "./recent-sign-in.ts";
import { APP_ACCESS_ROUTES } from "./sessions/app-access.ts";
import { SESSION_ROUTES } from "./sessions/session-steps.ts";

/** `/ui/account`: the account of the signed-in user (docs/pages.md). */
export const ACCOUNT_ROUTES: PageRoutes<AccountParts> = {
  [ACCOUNT_PATH]: accountRoute({ isSensitive: false, show: showAccount }),
  // For people who type the address.
  [`${ACCOUNT_PATH}/`]: accountRoute({ isSensitive: false, show: showAccount }),
  [SIGNED_IN_PATH]: { get: continueSignedIn },
  ...NAME_ROUTES,
  ...USER_NAME_ROUTES,
  ...LANGUAGE_ROUTES,
  ...EMAIL_CHANGE_ROUTES,
  ...PHONE_CHANGE_ROUTES,
  ...PASSWORD_CHANGE_ROUTES,
  ...PASSKEYS_ROUTES,
  ...ONE_TIME_CODE_ROUTES,
  ...RECOVERY_CODE_ROUTES,
  ...LINK_ROUTES,
  ...PROVIDER_TEST_ROUTES,
  ...SESSION_ROUTES,
  ...APP_ACCESS_ROUTES,
  ...DATA_ROUTES,
  ...REMOVAL_ROUTES,
};

/** Redirects to the account after a sign-in to the account page, or to the page that has required it. */
async function continueSignedIn(parts: AccountParts, visit: Visit): Promise<PageResponse> {
  const { headers, query } = visit.request;
  if ((await parts.sessions.find(headers.cookie)) !== undefined) return returnAfterSignIn(parts, visit);
  // The user canceled, or the organization does not exist. Another redirect could cause an endless loop.
  return query.has("error") ? notSignedInPage(visit) : noCookiesPage(visit);
}

function notSignedInPage({ language }: Visit): PageResponse {
  return renderInBranding(language.tag, ({ texts: { account } }) => {
    const content = html`<p><a class="button" href="${ACCOUNT_PATH}">${account.signedOut.signIn}</a></p>`;
    return { status: 403, title: account.notSignedIn, icon: "problem", content };
  });
}

function noCookiesPage({ language }: Visit): PageResponse {
  return renderInBranding(language.tag, ({ texts }) => note(texts.account.noCookies, { status: 403, icon: "problem" }));
}
