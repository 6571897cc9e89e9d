import type { FoundCode } from "../../codes/find-code.ts";
import { findPasswordProblem } from "../../passwords/policy.ts";
import { resetPassword } from "../../users/reset-password.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { PASSWORD_PATH, passwordDonePage, passwordPage, unusablePasswordLinkPage } from "./password-page.ts";
import type { RoutesContext } from "./routes-context.ts";

/** `/ui/password`: the link with which a user sets a new password (docs/pages.md). */
export function createPasswordRoutes(context: RoutesContext): PageRoutes {
  const { openLink } = context;

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
    const repeat = form.get("repeat") ?? "";
    if (password === "" && repeat === "") return passwordPage(code, visit, "missing");
    const error = findPasswordProblem(password) ?? (password === repeat ? undefined : "different");
    if (error !== undefined) return passwordPage(code, visit, error);
    const outcome = await resetPassword({ ...context, caller: visit.caller }, code, password);
    return outcome.kind === "reset" ? passwordDonePage(visit) : show(outcome.code, visit);
  }
}
