import type { FoundCode } from "../../codes/find-code.ts";
import { resetPassword } from "../../users/reset-password.ts";
import { deviceCookieHeader } from "../frame/device-cookie.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import type { LinkParts } from "./link-parts.ts";
import { checkNewPassword } from "./new-password-fields.ts";
import { openLink } from "./open-link.ts";
import { PASSWORD_PATH, passwordDonePage, passwordPage, unusablePasswordLinkPage } from "./password-page.ts";

/** `/ui/password`: the link to set a new password (docs/pages.md). */
export const PASSWORD_ROUTES: PageRoutes<LinkParts> = { [PASSWORD_PATH]: { get: open, postForm: submit } };

async function open(parts: LinkParts, visit: Visit): Promise<PageResponse> {
  const link = await openLink(parts, visit, "password", visit.request.query.get("code"));
  return link.ok ? show(link.code, link.visit) : link.problem;
}

async function submit(parts: LinkParts, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  const link = await openLink(parts, visit, "password", form.get("code"));
  return link.ok ? await finish(parts, link.code, link.visit, form) : link.problem;
}

function show(code: FoundCode, visit: Visit): PageResponse {
  return code.state === "valid" ? passwordPage(code, visit) : unusablePasswordLinkPage(code.state, visit);
}

async function finish(parts: LinkParts, code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  if (code.state !== "valid") return show(code, visit);
  const password = form.get("password") ?? "";
  const refused = checkNewPassword(parts.config, code.user, password, form.get("repeat") ?? "");
  if (refused !== undefined) return passwordPage(code, visit, refused);
  const outcome = await resetPassword(parts, code, password, visit.caller);
  if (outcome.kind === "changed") return show(outcome.code, visit);
  return passwordDonePage(code, visit, deviceCookieHeader(parts, visit, { ...code, ...code.user }, "link"));
}
