import type { FoundCode } from "../../codes/find-code.ts";
import { html } from "../../messages/html.ts";
import { verifyEmail } from "../../users/verify-email.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { signInLink } from "../frame/sign-in-link.ts";
import { type CodeLink, SEND_CODE, sendNewCode, unusableLinkPage } from "./link-pages.ts";
import type { LinkParts } from "./link-parts.ts";
import { openLink } from "./open-link.ts";
import { INIT_TEXTS } from "./texts/init-texts.ts";

/** Shares its texts with `/ui/init`. */
const LINK: CodeLink = {
  path: "/ui/email",
  channel: "email",
  texts: INIT_TEXTS,
  describeRecipient: ({ user }) => user.email,
};

/** `/ui/email`: the link of the email that verifies a new address (docs/pages.md). */
export const EMAIL_ROUTES: PageRoutes<LinkParts> = { [LINK.path]: { get: open, postForm: submit } };

async function open(parts: LinkParts, visit: Visit): Promise<PageResponse> {
  const link = await openLink(parts, visit, "email", visit.request.query.get("code"));
  return link.ok ? show(parts, link.code, link.visit) : link.problem;
}

async function submit(parts: LinkParts, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  const link = await openLink(parts, visit, "email", form.get("code"));
  if (!link.ok) return link.problem;
  if (form.get("do") === SEND_CODE) return await sendNewCode(parts, LINK, link.code, link.visit);
  return await verify(parts, link.code, link.visit);
}

function show(parts: LinkParts, code: FoundCode, visit: Visit): PageResponse {
  const isUsable = code.state === "valid" && !code.user.emailVerified;
  return isUsable ? emailPage(code, visit) : unusableLinkPage(parts, LINK, code, visit);
}

async function verify(parts: LinkParts, held: FoundCode, visit: Visit): Promise<PageResponse> {
  const outcome = await verifyEmail(parts, held, visit.caller);
  if (outcome.kind === "changed") return show(parts, outcome.code, visit);
  const { language } = visit;
  const { title, confirmed } = INIT_TEXTS[language].done;
  const content = html`<p>${confirmed}</p>
${held.user.hasPassword && signInLink(language, held.orgId)}`;
  return renderPage({ language, title, icon: "done", content });
}

/** The form that confirms the address. */
function emailPage({ text, user }: FoundCode, { language }: Visit): PageResponse {
  const { confirm, name, email, confirmButton } = INIT_TEXTS[language];
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
