import type { CodeState, FoundCode } from "../../codes/find-code.ts";
import { html } from "../../html.ts";
import { resetPassword } from "../../users/credentials/reset-password.ts";
import { detailsList } from "../frame/details-list.ts";
import { deviceCookieHeader } from "../frame/device-cookie.ts";
import { PASSWORD_FIELD_SCRIPT } from "../frame/field.ts";
import { notePage } from "../frame/note.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { readResetOrigin } from "../frame/page-cookies.ts";
import { problemPage } from "../frame/problem-page.ts";
import { renderPage } from "../frame/render-page.ts";
import { signInLink } from "../frame/sign-in-link.ts";
import type { LinkParts } from "./link-parts.ts";
import { checkNewPassword, newPasswordFields, type RefusedPassword, readPasswordError } from "./new-password-fields.ts";
import { linkRoute, redirectToLink } from "./open-link.ts";

const PATH = "/ui/password";

/** `/ui/password`: the link to set a new password (docs/pages.md). */
export const PASSWORD_ROUTES: PageRoutes<LinkParts> = {
  [PATH]: linkRoute("password", { show, submit: finish }),
};

function show(parts: LinkParts, code: FoundCode, visit: Visit): PageResponse {
  const { query } = visit.request;
  if (code.state === "valid") return passwordPage(code, visit, readPasswordError(parts.config, query));
  if (code.state === "used" && query.has("done")) return passwordDonePage(code, visit, readResetOrigin(parts, visit));
  return unusablePasswordLinkPage(code, code.state, visit);
}

async function finish(parts: LinkParts, code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  if (code.state !== "valid") return redirectToLink(parts, PATH, code);
  const password = form.get("password") ?? "";
  const refused = checkNewPassword(parts.config, code.user, password, form.get("repeat") ?? "");
  if (refused !== undefined) return redirectToLink(parts, PATH, code, { error: refused.error });
  const outcome = await resetPassword(parts, code, password, visit.caller);
  if (outcome.kind === "changed") return redirectToLink(parts, PATH, code);
  const deviceCookie = deviceCookieHeader(parts, visit, { ...code, ...code.user }, "link");
  return redirectToLink(parts, PATH, code, { done: "set" }, [deviceCookie]);
}

/** The form in which a user enters a new password twice. */
function passwordPage(code: FoundCode, { language }: Visit, refused?: RefusedPassword): PageResponse {
  const { title, text, button } = language.texts.links.reset.choose;
  const { user } = code;
  return renderPage({
    status: refused === undefined ? 200 : 422,
    language,
    title,
    scripts: [PASSWORD_FIELD_SCRIPT],
    content: html`<p>${text}</p>
${detailsList([
  [language.texts.links.init.name, user.displayName],
  [language.texts.frame.signInLink.userName, user.userName],
])}
<form method="post" action="${PATH}">
<input type="hidden" name="code" value="${code.text}">
${newPasswordFields(user, language, { isRequired: true, refused })}
<button>${button}</button>
</form>`,
  });
}

/** @param origin The path of the sign-in in which the link was requested, if it was in this browser. */
function passwordDonePage({ orgId }: FoundCode, { language }: Visit, origin: string | undefined): PageResponse {
  const next = signInLink(language, orgId, origin);
  return notePage(language, language.texts.links.reset.done, { icon: "done", next });
}

/** The page for a link that can no longer be used. The sign-in page sends a new one. */
function unusablePasswordLinkPage(
  { orgId }: FoundCode,
  state: Exclude<CodeState, "valid">,
  visit: Visit,
): PageResponse {
  // The user was deactivated or locked after the link was opened.
  if (state === "blocked") return problemPage("blocked-user", visit);
  const { language } = visit;
  // The holder of an outdated link may be another person, and must not learn the organization.
  const next = signInLink(language, state === "outdated" ? undefined : orgId);
  return notePage(language, language.texts.links.reset[state], { status: 410, icon: "problem", next });
}
