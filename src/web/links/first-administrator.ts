import { CONSOLE_APP_ID, CONSOLE_PATHS } from "../../apps/console-app.ts";
import { describeEmailProblem } from "../../fields/email.ts";
import { trimText } from "../../fields/trim-text.ts";
import { FIRST_ADMINISTRATOR_PATH, openAdministratorLink } from "../../instance/administrator-link.ts";
import { hasAdministrator } from "../../instance/has-administrator.ts";
import { addFirstAdministrator } from "../../sign-in/register/add-first-administrator.ts";
import { checkPerson } from "../../sign-in/register/register-user.ts";
import { findRegistrationState, type PendingRegistration } from "../../sign-in/register/registration.ts";
import { deviceCookieHeader } from "../frame/device-cookie.ts";
import { findLanguage } from "../frame/find-branding.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { LINK_PROOF } from "../frame/page-cookies.ts";
import { inOrg, redirect } from "../frame/responses.ts";
import { continueAfterInit } from "./after-init.ts";
import {
  type AdministratorError,
  type AdministratorFields,
  administratorPage,
  isFieldError,
  noAdministratorPage,
  unusableAdministratorLinkPage,
} from "./first-administrator-page.ts";
import type { LinkParts } from "./link-parts.ts";
import { checkNewPassword, type RefusedPassword, readPasswordError } from "./new-password-fields.ts";
import { findLimited } from "./open-link.ts";

/**
 * `/ui/first-administrator`: makes the first administrator of the instance, with the link that the service prints at its start.
 * Without the link, the page only says where it is.
 */
export const FIRST_ADMINISTRATOR_ROUTES: PageRoutes<LinkParts> = {
  [FIRST_ADMINISTRATOR_PATH]: { get: open, postForm: submit },
};

/** A link that is valid, perhaps used. */
interface OpenedLink {
  readonly visit: Visit;
  readonly code: string;
  readonly userId: string;
  readonly orgId: string;
}

async function open(parts: LinkParts, visit: Visit): Promise<PageResponse> {
  const { query, headers } = visit.request;
  const code = query.get("code");
  if (code === null) {
    if (await hasAdministrator(parts.db, visit.caller)) return redirect(CONSOLE_PATHS.home);
    const session = await parts.sessions.find(headers.cookie);
    // The user may have a role in an organization.
    return session === undefined ? noAdministratorPage(visit) : redirect(CONSOLE_PATHS.root);
  }
  const link = await openLink(parts, visit, code);
  return "status" in link ? link : inOrg(link.orgId, await show(parts, link));
}

async function show(parts: LinkParts, link: OpenedLink): Promise<PageResponse> {
  const { visit, userId, orgId } = link;
  const { query } = visit.request;
  const fields = readFields(query);
  const { isUsed } = await findRegistrationState(parts, toPending(link, ""), fields.email, visit.caller);
  if (isUsed && query.has("done")) {
    return await continueAfterInit(parts, { orgId, userId, user: { hasPassword: true } }, visit, "passwordSet");
  }
  if (isUsed || (await hasAdministrator(parts.db, visit.caller))) return await unusable(parts, visit);
  const error = query.get("error") ?? "";
  const refused = isFieldError(error) ? error : readPasswordError(parts.config, query);
  return administratorPage(visit, { code: link.code, fields, refused });
}

async function submit(parts: LinkParts, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  const link = await openLink(parts, visit, form.get("code") ?? "");
  return "status" in link ? link : inOrg(link.orgId, await finish(parts, link, form));
}

async function finish(parts: LinkParts, link: OpenedLink, form: URLSearchParams): Promise<PageResponse> {
  const { caller } = link.visit;
  const fields = readFields(form);
  const toError = (error: AdministratorError | RefusedPassword["error"]) => toLink(link, { error, ...fields });
  if (describeEmailProblem(fields.email) !== undefined) return toError("email");
  const pending = toPending(link, fields.email);
  const checked = checkPerson(pending, { ...fields, userName: fields.email });
  if (!checked.ok) return toError(isFieldError(checked.invalid) ? checked.invalid : "email");
  const password = form.get("password") ?? "";
  const refused = checkNewPassword(parts.config, checked.human, password, form.get("repeat") ?? "");
  if (refused !== undefined) return toError(refused.error);
  const outcome = await parts.serializeHashing(link.userId, async () => {
    if ((await findRegistrationState(parts, pending, fields.email, caller)).isUsed) return { kind: "used" } as const;
    const turn = { kind: "page", orgId: link.orgId } as const;
    const passwordHash = await parts.passwords.hash(password, { turn, ...caller });
    caller.throwIfOver();
    return await addFirstAdministrator(parts, pending, { human: checked.human, passwordHash }, caller);
  });
  switch (outcome.kind) {
    case "registered": {
      const { user } = outcome;
      const proof = LINK_PROOF.header(parts, user.orgId, { userId: user.id, sequence: String(user.sequence) });
      const device = deviceCookieHeader(parts, link.visit, user, "link");
      return toLink(link, { done: "yes" }, [proof, device]);
    }
    case "address-taken":
    case "name-taken":
      return toError("taken");
    case "used":
    case "has-administrator":
    case "passkey-taken":
      return toLink(link);
    default:
      return outcome satisfies never;
  }
}

/** Opens the link, or returns the page that says why it cannot be used. */
async function openLink(parts: LinkParts, visit: Visit, code: string): Promise<OpenedLink | PageResponse> {
  const { caller, language } = visit;
  const find = () => openAdministratorLink(parts, code, caller);
  const link = await findLimited(parts, visit, find, () => unusable(parts, visit));
  if ("status" in link) return link;
  const found = await findLanguage(parts.brandings, language.tag, link.orgId, caller);
  return { ...link, code, visit: { ...visit, language: found } };
}

/** The address is also the user name. */
function toPending({ userId, orgId, visit }: OpenedLink, email: string): PendingRegistration {
  return { userId, orgId, email, language: visit.language.tag, appId: CONSOLE_APP_ID };
}

function readFields(form: URLSearchParams): AdministratorFields {
  const read = (name: keyof AdministratorFields) => trimText(form.get(name) ?? "");
  return { firstName: read("firstName"), lastName: read("lastName"), email: read("email") };
}

/** Redirects to the page of the link, so that neither a reload nor the back button sends the form again. */
function toLink(
  { code }: OpenedLink,
  result: Record<string, string> = {},
  cookies: readonly string[] = [],
): PageResponse {
  return redirect(`${FIRST_ADMINISTRATOR_PATH}?${new URLSearchParams({ code, ...result })}`, cookies);
}

async function unusable({ db }: LinkParts, visit: Visit): Promise<PageResponse> {
  return unusableAdministratorLinkPage(visit, await hasAdministrator(db, visit.caller));
}
