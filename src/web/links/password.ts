import type { FoundCode } from "../../codes/find-code.ts";
import { resetPassword } from "../../users/reset-password.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { createCheckNewPassword } from "./new-password-fields.ts";
import { PASSWORD_PATH, passwordDonePage, passwordPage, unusablePasswordLinkPage } from "./password-page.ts";
import type { RoutesContext } from "./routes-context.ts";

/** `/ui/password`: the link to set a new password (docs/pages.md). */
export function createPasswordRoutes(context: RoutesContext): PageRoutes {
  const { config, deviceCookie, openLink } = context;
  const checkNewPassword = createCheckNewPassword(config);

  return {
    [PASSWORD_PATH]: {
      async get(visit) {
        const link = await openLink(visit, "password", visit.request.query.get("code"));
        return link.ok ? show(link.code, link.visit) : link.problem;
      },
      async postForm(visit, form) {
        const link = await openLink(visit, "password", form.get("code"));
        return link.ok ? finish(link.code, link.visit, form) : link.problem;
      },
    },
  };

  function show(code: FoundCode, visit: Visit): PageResponse {
    return code.state === "valid" ? passwordPage(code, visit) : unusablePasswordLinkPage(code.state, visit);
  }

  async function finish(code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
    if (code.state !== "valid") return show(code, visit);
    const password = form.get("password") ?? "";
    const refused = checkNewPassword(code.user, password, form.get("repeat") ?? "");
    if (refused !== undefined) return passwordPage(code, visit, refused);
    const outcome = await resetPassword({ ...context, caller: visit.caller }, code, password);
    return outcome.kind === "reset"
      ? passwordDonePage(code, visit, deviceCookie.toHeader(visit, { ...code, ...code.user }, "link"))
      : show(outcome.code, visit);
  }
}
