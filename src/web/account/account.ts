import { html } from "../../html.ts";
import { ACCOUNT_PATH, SIGNED_IN_PATH } from "../frame/account-app.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { renderInBranding } from "../frame/render-page.ts";
import type { AccountParts } from "./account-parts.ts";
import { accountRoute } from "./account-step.ts";
import { APP_ACCESS_ROUTES } from "./app-access.ts";
import { DATA_ROUTES } from "./data.ts";
import { EMAIL_CHANGE_ROUTES } from "./email.ts";
import { LANGUAGE_ROUTES } from "./language.ts";
import { LINK_ROUTES } from "./links.ts";
import { NAME_ROUTES } from "./name.ts";
import { ONE_TIME_CODE_ROUTES } from "./one-time-code.ts";
import { PASSKEYS_ROUTES } from "./passkeys.ts";
import { PASSWORD_CHANGE_ROUTES } from "./password.ts";
import { PHONE_CHANGE_ROUTES } from "./phone.ts";
import { PROVIDER_TEST_ROUTES } from "./provider-test.ts";
import { returnAfterSignIn } from "./recent-sign-in.ts";
import { RECOVERY_CODE_ROUTES } from "./recovery-codes.ts";
import { REMOVAL_ROUTES } from "./removal.ts";
import { SESSION_ROUTES } from "./session-steps.ts";
import { showAccount } from "./show-account.ts";
import { USER_NAME_ROUTES } from "./user-name.ts";

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
  return renderInBranding(language.tag, ({ texts }) => {
    const { title, text } = texts.account.noCookies;
    return { status: 403, title, icon: "problem", content: html`<p>${text}</p>` };
  });
}
