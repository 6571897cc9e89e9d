import type { FoundCode } from "../../codes/find-code.ts";
import { html } from "../../html.ts";
import { verifyEmail } from "../../users/change/verify-recipient.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { initDonePage } from "./init-page.ts";
import { type CodeLink, codeRoute, TAKEN, unusableLinkPage } from "./link-pages.ts";
import type { LinkParts } from "./link-parts.ts";
import { redirectToLink } from "./open-link.ts";

/** Shares its texts with `/ui/init`. */
const LINK: CodeLink = {
  kind: "email",
  path: "/ui/email",
  channel: "email",
  texts: "init",
  describeRecipient: ({ user }) => user.email,
};

/** `/ui/email`: the link of the email that verifies a new address (docs/pages.md). */
export const EMAIL_ROUTES: PageRoutes<LinkParts> = {
  [LINK.path]: codeRoute(LINK, { show, submit: verify }),
};

function show(parts: LinkParts, code: FoundCode, visit: Visit): PageResponse {
  if (code.state === "valid" && !code.user.emailVerified) return emailPage(code, visit);
  if (code.state === "used" && visit.request.query.has("done")) return initDonePage(code, visit, "confirmed");
  return unusableLinkPage(parts, LINK, code, visit);
}

async function verify(parts: LinkParts, held: FoundCode, visit: Visit): Promise<PageResponse> {
  const outcome = await verifyEmail(parts, held, visit.caller);
  if (outcome.kind === "taken") return redirectToLink(parts, LINK.path, held, { error: TAKEN });
  return redirectToLink(parts, LINK.path, held, outcome.kind === "changed" ? {} : { done: "confirmed" });
}

function emailPage({ text, user }: FoundCode, { language }: Visit): PageResponse {
  const { confirm, name, email, confirmButton } = language.texts.links.init;
  return renderPage({
    language,
    title: confirm.title,
    content: html`<p>${confirm.text}</p>
${detailsList([
  [name, user.displayName],
  [email, user.email],
])}
<form method="post" action="${LINK.path}">
<input type="hidden" name="code" value="${text}">
<button>${confirmButton}</button>
</form>`,
  });
}
