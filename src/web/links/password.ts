import type { FoundCode } from "../../codes/find-code.ts";
import { resetPassword } from "../../users/credentials/reset-password.ts";
import { deviceCookieHeader } from "../frame/device-cookie.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { readResetOrigin } from "../frame/page-cookies.ts";
import type { LinkParts } from "./link-parts.ts";
import { checkNewPassword, readPasswordError } from "./new-password-fields.ts";
import { linkRoute } from "./open-link.ts";
import { PASSWORD_PATH, passwordDonePage, passwordPage, unusablePasswordLinkPage } from "./password-page.ts";
import { redirectToLink } from "./redirect-to-link.ts";

/** `/ui/password`: the link to set a new password (docs/pages.md). */
export const PASSWORD_ROUTES: PageRoutes<LinkParts> = {
  [PASSWORD_PATH]: linkRoute("password", { show, submit: finish }),
};

function show(parts: LinkParts, code: FoundCode, visit: Visit): PageResponse {
  const { query } = visit.request;
  if (code.state === "valid") return passwordPage(code, visit, readPasswordError(parts.config, query));
  if (code.state === "used" && query.has("done")) return passwordDonePage(code, visit, readResetOrigin(parts, visit));
  return unusablePasswordLinkPage(code, code.state, visit);
}

async function finish(parts: LinkParts, code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  if (code.state !== "valid") return redirectToLink(parts, PASSWORD_PATH, code);
  const password = form.get("password") ?? "";
  const refused = checkNewPassword(parts.config, code.user, password, form.get("repeat") ?? "");
  if (refused !== undefined) return redirectToLink(parts, PASSWORD_PATH, code, { error: refused.error });
  const outcome = await resetPassword(parts, code, password, visit.caller);
  if (outcome.kind === "changed") return redirectToLink(parts, PASSWORD_PATH, code);
  const deviceCookie = deviceCookieHeader(parts, visit, { ...code, ...code.user }, "link");
  return redirectToLink(parts, PASSWORD_PATH, code, { done: "set" }, [deviceCookie]);
}
