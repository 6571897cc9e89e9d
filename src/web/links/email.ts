import type { FoundCode } from "../../codes/find-code.ts";
import { html } from "../../messages/html.ts";
import { requestNewCode } from "../../users/request-new-code.ts";
import { verifyEmail } from "../../users/verify-email.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { signInLink } from "../frame/sign-in-link.ts";
import { createLinkPages, SEND_CODE } from "./link-pages.ts";
import type { RoutesContext } from "./routes-context.ts";
import { INIT_TEXTS } from "./texts/init-texts.ts";

const EMAIL_PATH = "/ui/email";

/** `/ui/email`: the link of the email that verifies a new address (docs/pages.md). Shares its texts with `/ui/init`. */
export function createEmailRoutes(context: RoutesContext): PageRoutes {
  const { clock, openLink, outbox } = context;
  const { unusableLinkPage, sendNewCode } = createLinkPages({
    path: EMAIL_PATH,
    clock,
    canSend: outbox.sendsEmail,
    requestNewCode: (code, { caller }) => requestNewCode({ ...context, caller }, code),
    textsOf: ({ language }) => INIT_TEXTS[language],
    describeRecipient: ({ user }) => user.email,
  });

  return {
    [EMAIL_PATH]: {
      async get(visit) {
        const link = await openLink(visit, "email", visit.request.query.get("code"));
        return link.ok ? show(link.code, link.visit) : link.problem;
      },
      async postForm(visit, form) {
        const link = await openLink(visit, "email", form.get("code"));
        if (!link.ok) return link.problem;
        return form.get("do") === SEND_CODE ? sendNewCode(link.code, link.visit) : verify(link.code, link.visit);
      },
    },
  };

  function show(code: FoundCode, visit: Visit): PageResponse {
    const isUsable = code.state === "valid" && !code.user.emailVerified;
    return isUsable ? emailPage(code, visit) : unusableLinkPage(code, visit);
  }

  async function verify(held: FoundCode, visit: Visit): Promise<PageResponse> {
    const outcome = await verifyEmail({ ...context, caller: visit.caller }, held);
    if (outcome.kind === "changed") return show(outcome.code, visit);
    const { title, confirmed } = INIT_TEXTS[visit.language].done;
    const content = html`<p>${confirmed}</p>
${held.user.hasPassword && signInLink(visit.language, held.orgId)}`;
    return renderPage({ language: visit.language, title, icon: "done", content });
  }
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
<form method="post" action="${EMAIL_PATH}">
<input type="hidden" name="code" value="${text}">
<button>${confirmButton}</button>
</form>`,
  });
}
