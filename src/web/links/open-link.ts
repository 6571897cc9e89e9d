import { type FindCodeParts, type FoundCode, findCode } from "../../codes/find-code.ts";
import type { CodeKind } from "../../codes/kinds.ts";
import type { Config } from "../../config.ts";
import { chooseLanguage } from "../../texts/languages.ts";
import { findLanguage } from "../frame/find-branding.ts";
import type { PageResponse, PageRoute, Visit } from "../frame/page.ts";
import { STEP_COOKIE } from "../frame/page-cookies.ts";
import { problemPage } from "../frame/problem-page.ts";
import { inOrg, redirect } from "../frame/responses.ts";
import type { LinkParts } from "./link-parts.ts";

/**
 * Finds what a link leads to, and counts a failure for the address if there is nothing.
 *
 * @returns Also the page for an address with too many failures, or that of `showMissing`.
 */
export async function findLimited<Found extends object>(
  { limit }: Pick<LinkParts, "limit">,
  visit: Visit,
  find: () => Promise<Found | undefined>,
  showMissing: () => PageResponse | Promise<PageResponse>,
): Promise<Found | PageResponse> {
  const { request, caller } = visit;
  const blockedSeconds = limit.secondsBlocked(request.address);
  const found = blockedSeconds === undefined ? await find() : undefined;
  if (found !== undefined) return found;
  const retrySeconds = blockedSeconds ?? (await limit.countFailure(request.address, caller));
  return retrySeconds === undefined ? await showMissing() : problemPage("too-many", visit, { retrySeconds });
}

/** The code of a link, in any state except `blocked`. */
interface OpenedLink {
  readonly code: FoundCode;
  readonly visit: Visit;
}

/**
 * Looks up the `code` of a link (`findLimited`), or returns a page with the reason why there is none. Rejects the code of a
 * user who is deactivated or locked. The returned visit has the language of the user, if the link still belongs to the
 * user. A visit with a valid code writes nothing.
 *
 * Malformed, unknown and wrong codes get the same response, which therefore does not reveal whether a code or user
 * exists.
 */
export async function openLink(
  parts: FindCodeParts & Pick<LinkParts, "limit" | "brandings">,
  visit: Visit,
  kind: CodeKind,
  text: string | null,
): Promise<OpenedLink | PageResponse> {
  const { caller } = visit;
  const find = () => findCode(parts, kind, text ?? "", caller);
  const code = await findLimited(parts, visit, find, () => problemPage("invalid-link", visit));
  if ("status" in code) return code;
  // The holder of an outdated link may be another person, and must not learn anything about the user.
  const preferred = code.state === "outdated" ? null : code.user.preferredLanguage;
  const tag = chooseLanguage(preferred) ?? visit.language.tag;
  const found = { ...visit, language: await findLanguage(parts.brandings, tag, code.orgId, caller) };
  return code.state === "blocked" ? problemPage("blocked-user", found) : { code, visit: found };
}

export interface LinkSteps {
  readonly show: (parts: LinkParts, code: FoundCode, visit: Visit) => PageResponse | Promise<PageResponse>;
  readonly submit: (
    parts: LinkParts,
    code: FoundCode,
    visit: Visit,
    form: URLSearchParams,
  ) => PageResponse | Promise<PageResponse>;
}

/** The route of a link with a form. */
export function linkRoute(kind: CodeKind, { show, submit }: LinkSteps): PageRoute<LinkParts> {
  return {
    async get(parts, visit) {
      const link = await openLink(parts, visit, kind, visit.request.query.get("code"));
      return "status" in link ? link : inOrg(link.code.orgId, await show(parts, link.code, link.visit));
    },
    async postForm(parts, visit, form) {
      const link = await openLink(parts, visit, kind, form.get("code"));
      return "status" in link ? link : inOrg(link.code.orgId, await submit(parts, link.code, link.visit, form));
    },
  };
}

/**
 * What the form of a link has done, as parameters of the URL of its page. They only choose among the page's texts: the
 * state of the code decides which of them can be shown, except for a limit that several users share.
 */
interface LinkResult {
  /** Why the form was rejected. */
  readonly error?: string;
  readonly done?: string;
  /** Whether a new code was sent; `hour` and `day`: not before the end of this time. */
  readonly sent?: "yes" | "no" | "hour" | "day";
}

/**
 * Redirects from the form of a link to the page of the link, so that neither a reload nor the back button sends the form
 * again. A completed link is a step in the organization (`STEP_COOKIE`).
 */
export function redirectToLink(
  parts: { readonly config: Pick<Config, "publicUrl"> },
  path: string,
  { text, orgId }: FoundCode,
  result: LinkResult = {},
  cookies: readonly string[] = [],
): PageResponse {
  const step = result.done === undefined ? [] : [STEP_COOKIE.header(parts, orgId)];
  return redirect(`${path}?${new URLSearchParams({ code: text, ...result })}`, [...step, ...cookies]);
}
