import type { FoundCode } from "../../codes/find-code.ts";
import { findPasswordProblem, initializeHuman, needsPassword } from "../../users/initialize-human.ts";
import { requestNewCode } from "../../users/request-new-code.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { INIT_PATH, initDonePage, initPage } from "./init-page.ts";
import { createLinkPages, SEND } from "./link-pages.ts";
import type { RoutesContext } from "./routes-context.ts";
import { INIT_TEXTS, type PasswordError } from "./texts/init-texts.ts";

/**
 * `/ui/init`: the link of the initialization email. It verifies the address, and lets a user set a password where none is
 * stored (docs/pages.md).
 */
export function createInitRoutes(context: RoutesContext): PageRoutes {
  const { clock, openLink, outbox } = context;
  const { overPage, sendNewCode } = createLinkPages({
    path: INIT_PATH,
    clock,
    sends: outbox.sendsEmail,
    requestNewCode: (code) => requestNewCode(context, code),
    textsOf: ({ language }) => INIT_TEXTS[language],
    toName: ({ user }) => user.email,
  });

  return {
    [INIT_PATH]: {
      async get(visit) {
        const link = await openLink(visit, "initialization", visit.request.query.get("code"));
        return link.ok ? show(link.code, link.visit) : link.problem;
      },
      async postForm(visit, form) {
        const link = await openLink(visit, "initialization", form.get("code"));
        if (!link.ok) return link.problem;
        return form.get("do") === SEND ? sendNewCode(link.code, link.visit) : finish(link.code, link.visit, form);
      },
    },
  };

  function show(code: FoundCode, visit: Visit): PageResponse {
    return code.state === "valid" ? initPage(code, visit) : overPage(code, visit);
  }

  async function finish(code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
    if (code.state !== "valid") return overPage(code, visit);
    const password = form.get("password") ?? "";
    const error = code.user.hasPassword ? undefined : findError(code, password, form.get("repeat") ?? "");
    if (error !== undefined) return initPage(code, visit, error);
    const outcome = await initializeHuman(context, code, password === "" ? undefined : password);
    return outcome.kind === "initialized" ? initDonePage(visit, outcome.setsPassword) : show(outcome.code, visit);
  }
}

/** What is wrong with the two fields of a user who has no password. */
function findError(code: FoundCode, password: string, repeat: string): PasswordError | undefined {
  if (password === "" && repeat === "") return needsPassword(code) ? "missing" : undefined;
  return findPasswordProblem(password) ?? (password === repeat ? undefined : "different");
}
