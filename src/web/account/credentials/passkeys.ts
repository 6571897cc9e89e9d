import { describeNameProblem } from "../../../fields/name.ts";
import { trimText } from "../../../fields/trim-text.ts";
import { html } from "../../../html.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import type { AccountPasskey } from "../../../sign-in/read-account.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { addPasskeyRegistration } from "../../../users/credentials/add-passkey-registration.ts";
import { removePasskey, renamePasskey } from "../../../users/credentials/change-passkeys.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { detailsList } from "../../frame/details-list.ts";
import { field } from "../../frame/field.ts";
import { formatDay } from "../../frame/format-time.ts";
import { done } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import { renderPage } from "../../frame/render-page.ts";
import { redirect } from "../../frame/responses.ts";
import { PASSKEY_SCRIPT, passkeyCeremony } from "../../links/passkey-ceremony.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { buttonRoute, showStale, unlessGone } from "../first-page/show-account.ts";
import { formPage, problemOf } from "../form-page.ts";
import { PATHS, withQuery } from "../paths.ts";

/** Adds, renames and removes passkeys. */
export const PASSKEYS_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.passkeys]: buttonRoute({ isSensitive: true, submit: beginAdding }),
  [PATHS.addPasskey]: accountRoute({ isSensitive: true, show: showAdding, submit: finishAdding }),
  [PATHS.renamePasskey]: accountRoute({ isSensitive: false, show: showRename, submit: rename }),
  [PATHS.removePasskey]: accountRoute({ isSensitive: true, show: showRemove, submit: remove }),
};

async function beginAdding(parts: AccountParts, { account, caller }: AccountVisit): Promise<PageResponse> {
  const { link } = await addPasskeyRegistration(parts, { userId: account.id }, toOwnCall(account, caller));
  const code = new URL(link).searchParams.get("code") ?? "";
  return redirect(withQuery(PATHS.addPasskey, { code }));
}

/** Lets the browser create a passkey. The script posts the form once it is registered. */
function showAdding(parts: AccountParts, { language, request, session }: AccountVisit): PageResponse {
  const { title, intro } = language.texts.links.passkey;
  return renderPage({
    language,
    title,
    scripts: [PASSKEY_SCRIPT],
    content: html`<p>${intro}</p>
${passkeyCeremony(language, { code: request.query.get("code") ?? "" })}
<form id="continue" method="post" action="${PATHS.addPasskey}">
<input type="hidden" name="token" value="${parts.formTokens.create(session.id)}">
</form>
<p class="cancel"><a href="${ACCOUNT_PATH}">${language.texts.accountForms.addPasskey.without}</a></p>`,
  });
}

async function finishAdding(parts: AccountParts): Promise<PageResponse> {
  return done(parts, "passkey-added");
}

function findPasskey({ request, account }: AccountVisit): AccountPasskey | undefined {
  const id = request.query.get("id");
  return account.passkeys.find((passkey) => passkey.id === id);
}

async function showRename(
  parts: AccountParts,
  visit: AccountVisit,
  problem?: FormProblem,
  form?: URLSearchParams,
): Promise<PageResponse> {
  const passkey = findPasskey(visit);
  if (passkey === undefined) return await showStale(parts, visit);
  const { id, name } = passkey;
  const texts = visit.language.texts.accountForms.renamePasskey;
  const fields = field({
    name: "name",
    label: texts.label,
    error: problemOf(problem, "name"),
    attributes: html`type="text" value="${form?.get("name") ?? name}" autocomplete="off" required`,
  });
  return formPage(parts, visit, { action: withQuery(PATHS.renamePasskey, { id }), texts, fields, problem });
}

async function rename(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, request, account, caller } = visit;
  const name = trimText(form.get("name") ?? "");
  if (describeNameProblem(name) !== undefined) {
    const text = language.texts.accountForms.renamePasskey.invalid;
    return await showRename(parts, visit, { text, field: "name" }, form);
  }
  const passkeyId = request.query.get("id") ?? "";
  const change = { userId: account.id, passkeyId, name };
  return await unlessGone(parts, visit, "passkey-renamed", () =>
    renamePasskey(parts, change, toOwnCall(account, caller)),
  );
}

async function showRemove(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): Promise<PageResponse> {
  const passkey = findPasskey(visit);
  if (passkey === undefined) return await showStale(parts, visit);
  const { id, name, createdAt } = passkey;
  const { language } = visit;
  const texts = language.texts.accountForms.removePasskey;
  const { name: term, passkeys } = language.texts.account;
  const day = formatDay(language, createdAt);
  const fields = detailsList([
    [
      term,
      html`${name === "" ? fillIn(passkeys.since, { date: day }) : name}<br><span class="small">${fillIn(passkeys.created, { date: day })}</span>`,
    ],
  ]);
  const action = withQuery(PATHS.removePasskey, { id });
  return formPage(parts, visit, { action, texts, fields, isDangerous: true, problem });
}

async function remove(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  const { request, session, account, caller } = visit;
  const tokenId = request.query.get("id") ?? "";
  return await unlessGone(parts, visit, "passkey-removed", () =>
    removePasskey(parts, { userId: account.id, tokenId }, toOwnCall(account, caller, session.id)),
  );
}
