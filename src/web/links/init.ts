import type { FoundCode } from "../../codes/find-code.ts";
import { initializeHuman, needsPassword } from "../../users/initialize-human.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { INIT_PATH, initDonePage, initPage } from "./init-page.ts";
import { type CodeLink, SEND_CODE, sendNewCode, unusableLinkPage } from "./link-pages.ts";
import type { LinkParts } from "./link-parts.ts";
import { checkNewPassword } from "./new-password-fields.ts";
import { openLink } from "./open-link.ts";
import { INIT_TEXTS } from "./texts/init-texts.ts";

const LINK: CodeLink = {
  path: INIT_PATH,
  channel: "email",
  texts: INIT_TEXTS,
  describeRecipient: ({ user }) => user.email,
};

/**
 * `/ui/init`: the link of the initialization email. Verifies the address, and sets a password if none is stored
 * (docs/pages.md).
 */
export const INIT_ROUTES: PageRoutes<LinkParts> = { [INIT_PATH]: { get: open, postForm: submit } };

async function open(parts: LinkParts, visit: Visit): Promise<PageResponse> {
  const link = await openLink(parts, visit, "initialization", visit.request.query.get("code"));
  return link.ok ? show(parts, link.code, link.visit) : link.problem;
}

async function submit(parts: LinkParts, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  const link = await openLink(parts, visit, "initialization", form.get("code"));
  if (!link.ok) return link.problem;
  if (form.get("do") === SEND_CODE) return await sendNewCode(parts, LINK, link.code, link.visit);
  return await finish(parts, link.code, link.visit, form);
}

function show(parts: LinkParts, code: FoundCode, visit: Visit): PageResponse {
  return isUsable(code) ? initPage(code, visit) : unusableLinkPage(parts, LINK, code, visit);
}

async function finish(parts: LinkParts, code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  if (!isUsable(code)) return show(parts, code, visit);
  const password = form.get("password") ?? "";
  const repeat = form.get("repeat") ?? "";
  const setsPassword = !code.user.hasPassword && (password !== "" || repeat !== "" || needsPassword(code));
  const refused = setsPassword ? checkNewPassword(parts.config, code.user, password, repeat) : undefined;
  if (refused !== undefined) return initPage(code, visit, refused);
  const chosen = password === "" ? undefined : password;
  const outcome = await initializeHuman(parts, code, chosen, visit.caller);
  if (outcome.kind === "changed") return show(parts, outcome.code, visit);
  return initDonePage(code, visit, outcome.setsPassword);
}

/** Whether the code is valid and still has a purpose. */
function isUsable({ state, user }: FoundCode): boolean {
  return state === "valid" && !(user.emailVerified && user.hasPassword);
}
