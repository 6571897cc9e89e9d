import type { FoundCode } from "../../codes/find-code.ts";
import { type Html, html } from "../../html.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { confirmEmailChange, isNamedByAddress } from "../../users/change/confirm-email-change.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import { detailsList } from "../frame/details-list.ts";
import { notePage } from "../frame/note.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { findTakenPage, TAKEN } from "./link-pages.ts";
import type { LinkParts } from "./link-parts.ts";
import { linkRoute, redirectToLink } from "./open-link.ts";

const PATH = "/ui/new-email";

/** The checkbox that also changes the user name. */
const NAME_FIELD = "userName";

/** `/ui/new-email`: the link of the email to the address that replaces the current one (docs/pages.md). */
export const NEW_EMAIL_ROUTES: PageRoutes<LinkParts> = { [PATH]: linkRoute("email-change", { show, submit }) };

async function submit(parts: LinkParts, code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  if (code.state !== "valid") return redirectToLink(parts, PATH, code);
  const outcome = await confirmEmailChange(parts, code, form.get(NAME_FIELD) === "yes", visit.caller);
  if (outcome.kind === "taken") return redirectToLink(parts, PATH, code, { error: TAKEN });
  return redirectToLink(parts, PATH, code, outcome.kind === "confirmed" ? { done: outcome.userName } : {});
}

function show(_parts: LinkParts, code: FoundCode, visit: Visit): PageResponse {
  const takenPage = findTakenPage("init", code, visit);
  if (takenPage !== undefined) return takenPage;
  if (code.state === "valid") return confirmPage(code, visit);
  const done = visit.request.query.get("done");
  return code.state === "used" && done !== null ? changedPage(code, visit, done) : overPage(code, visit);
}

function confirmPage({ text, user, recipient }: FoundCode, { language }: Visit): PageResponse {
  const { confirm, name, email, confirmButton } = language.texts.links.init;
  const texts = language.texts.links.newEmail;
  return renderPage({
    language,
    title: confirm.title,
    content: html`<p>${texts.text}</p>
${detailsList([
  [name, user.displayName],
  [email, recipient ?? ""],
])}
<form method="post" action="${PATH}">
<input type="hidden" name="code" value="${text}">
${
  isNamedByAddress(user) &&
  html`<label class="check"><input type="checkbox" name="${NAME_FIELD}" value="yes" checked> ${texts.changesName}</label>\n`
}<button>${confirmButton}</button>
</form>`,
  });
}

function changedPage({ orgId, recipient }: FoundCode, { language }: Visit, done: string): PageResponse {
  const { title, changed, nameChanged, nameTaken } = language.texts.links.newEmail;
  const ofName = done === "changed" ? nameChanged : done === "taken" && nameTaken;
  const text = [fillIn(changed, { address: recipient ?? "" }), ofName].filter(Boolean).join(" ");
  return notePage(language, { title, text }, { icon: "done", next: accountLink(language, orgId) });
}

/** A link that was used, has expired, or was replaced by a newer one. A new one is requested on the account page. */
function overPage({ orgId, state }: FoundCode, { language }: Visit): PageResponse {
  const { used, over } = language.texts.links.newEmail;
  const next = accountLink(language, orgId);
  return notePage(language, state === "used" ? used : over, { status: 410, icon: "problem", next });
}

function accountLink(language: PageLanguage, orgId: string): Html {
  return html`<p><a class="button" href="${ACCOUNT_PATH}?org=${orgId}">${language.texts.links.newEmail.toAccount}</a></p>`;
}
