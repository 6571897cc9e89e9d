import type { FoundCode } from "../../codes/find-code.ts";
import { initializeHuman, needsPassword } from "../../users/credentials/initialize-human.ts";
import { deviceCookieHeader } from "../frame/device-cookie.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { LINK_PROOF } from "../frame/page-cookies.ts";
import { continueAfterInit } from "./after-init.ts";
import { INIT_PATH, type InitDone, initPage, isInitDone } from "./init-page.ts";
import { type CodeLink, codeRoute, TAKEN, unusableLinkPage } from "./link-pages.ts";
import type { LinkParts } from "./link-parts.ts";
import { checkNewPassword, readPasswordError } from "./new-password-fields.ts";
import { redirectToLink } from "./open-link.ts";

const LINK: CodeLink = {
  kind: "initialization",
  path: INIT_PATH,
  channel: "email",
  texts: "init",
  describeRecipient: ({ user }) => user.email,
};

/**
 * `/ui/init`: the link of the initialization email. Verifies the address, and sets a password if none is stored
 * (docs/pages.md).
 */
export const INIT_ROUTES: PageRoutes<LinkParts> = {
  [INIT_PATH]: codeRoute(LINK, { show, submit: finish }),
};

async function show(parts: LinkParts, code: FoundCode, visit: Visit): Promise<PageResponse> {
  const { query } = visit.request;
  if (isUsable(code)) return initPage(code, visit, readPasswordError(parts.config, query));
  const done = query.get("done") ?? "";
  if (code.state === "used" && isInitDone(done)) return await continueAfterInit(parts, code, visit, done);
  return unusableLinkPage(parts, LINK, code, visit);
}

async function finish(parts: LinkParts, code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  if (!isUsable(code)) return redirectToLink(parts, INIT_PATH, code);
  const password = form.get("password") ?? "";
  const repeat = form.get("repeat") ?? "";
  const setsPassword = !code.user.hasPassword && (password !== "" || repeat !== "" || needsPassword(code));
  const refused = setsPassword ? checkNewPassword(parts.config, code.user, password, repeat) : undefined;
  if (refused !== undefined) return redirectToLink(parts, INIT_PATH, code, { error: refused.error });
  const chosen = password === "" ? undefined : password;
  const outcome = await initializeHuman(parts, code, chosen, visit.caller);
  if (outcome.kind === "changed") return redirectToLink(parts, INIT_PATH, code);
  if (outcome.kind === "taken") return redirectToLink(parts, INIT_PATH, code, { error: TAKEN });
  const { emailVerified } = code.user;
  const done: InitDone = emailVerified
    ? outcome.setsPassword
      ? "passwordSet"
      : "nothingSet"
    : outcome.setsPassword
      ? "confirmedAndPasswordSet"
      : "confirmed";
  if (!outcome.setsPassword) return redirectToLink(parts, INIT_PATH, code, { done });
  const { orgId, userId } = code;
  const proof = LINK_PROOF.header(parts, orgId, { userId, sequence: String(outcome.sequence) });
  const device = deviceCookieHeader(parts, visit, { ...code, ...code.user }, "link");
  return redirectToLink(parts, INIT_PATH, code, { done }, [proof, device]);
}

/** Whether the code is valid and still has a purpose. */
function isUsable({ state, user }: FoundCode): boolean {
  return state === "valid" && !(user.emailVerified && user.hasPassword);
}
