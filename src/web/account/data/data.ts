import { html } from "../../../html.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { exportUserData } from "../../../users/read/export-user-data.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { notePage } from "../../frame/note.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import { PRIVATE_HEADERS } from "../../frame/render-page.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute } from "../account-step.ts";
import { PATHS } from "../paths.ts";

/** `/ui/account/data`: what is stored about the user, as a file. Requires a recent sign-in, because it is everything. */
export const DATA_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.data]: accountRoute({ isSensitive: true, show: showPage }),
  [PATHS.dataFile]: accountRoute({ isSensitive: true, show: sendFile }),
};

/** The file has a page before it, so that a sign-in returns to a page. */
function showPage(_parts: AccountParts, { language }: AccountVisit): PageResponse {
  const { data } = language.texts.accountForms;
  const next = html`<p><a class="button" href="${PATHS.dataFile}">${data.submit}</a></p>
<p class="cancel"><a href="${ACCOUNT_PATH}">${language.texts.account.back}</a></p>`;
  return notePage(language, data, { next });
}

async function sendFile(parts: AccountParts, { account, caller }: AccountVisit): Promise<PageResponse> {
  const body = await exportUserData(parts, { userId: account.id }, toOwnCall(account, caller));
  const headers = {
    ...PRIVATE_HEADERS,
    "content-type": "application/json; charset=utf-8",
    "content-disposition": 'attachment; filename="signet-data.json"',
    "content-security-policy": "default-src 'none'; sandbox",
  };
  return { status: 200, headers, body };
}
