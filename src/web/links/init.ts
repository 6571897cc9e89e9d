import type { FoundCode } from "../../codes/find-code.ts";
import { initializeHuman, needsPassword } from "../../users/initialize-human.ts";
import { requestNewCode } from "../../users/request-new-code.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { INIT_PATH, initDonePage, initPage } from "./init-page.ts";
import { createLinkPages, SEND_CODE } from "./link-pages.ts";
import { createCheckNewPassword, type RefusedPassword } from "./new-password-fields.ts";
import type { RoutesContext } from "./routes-context.ts";
import { INIT_TEXTS } from "./texts/init-texts.ts";

/**
 * `/ui/init`: the link of the initialization email. Verifies the address, and sets a password if none is stored
 * (docs/pages.md).
 */
export function createInitRoutes(context: RoutesContext): PageRoutes {
  const { clock, config, openLink, outbox } = context;
  const { unusableLinkPage, sendNewCode } = createLinkPages({
    path: INIT_PATH,
    clock,
    canSend: outbox.sendsEmail,
    requestNewCode: (code, { caller }) => requestNewCode({ ...context, caller }, code),
    textsOf: ({ language }) => INIT_TEXTS[language],
    describeRecipient: ({ user }) => user.email,
  });
  const checkNewPassword = createCheckNewPassword(config);

  return {
    [INIT_PATH]: {
      async get(visit) {
        const link = await openLink(visit, "initialization", visit.request.query.get("code"));
        return link.ok ? show(link.code, link.visit) : link.problem;
      },
      async postForm(visit, form) {
        const link = await openLink(visit, "initialization", form.get("code"));
        if (!link.ok) return link.problem;
        return form.get("do") === SEND_CODE ? sendNewCode(link.code, link.visit) : finish(link.code, link.visit, form);
      },
    },
  };

  function show(code: FoundCode, visit: Visit): PageResponse {
    return isUsable(code) ? initPage(code, visit) : unusableLinkPage(code, visit);
  }

  async function finish(code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
    if (!isUsable(code)) return unusableLinkPage(code, visit);
    const password = form.get("password") ?? "";
    const refused = code.user.hasPassword ? undefined : check(code, password, form.get("repeat") ?? "");
    if (refused !== undefined) return initPage(code, visit, refused);
    const parts = { ...context, caller: visit.caller };
    const outcome = await initializeHuman(parts, code, password === "" ? undefined : password);
    return outcome.kind === "initialized" ? initDonePage(code, visit, outcome.setsPassword) : show(outcome.code, visit);
  }

  /** Checks the two fields of a user without a password. */
  function check(code: FoundCode, password: string, repeat: string): RefusedPassword | undefined {
    if (password === "" && repeat === "" && !needsPassword(code)) return undefined;
    return checkNewPassword(code.user, password, repeat);
  }
}

/** Whether the code is valid and still has a purpose. */
function isUsable({ state, user }: FoundCode): boolean {
  return state === "valid" && !(user.emailVerified && user.hasPassword);
}
