import type { FoundCode } from "../../codes/find-code.ts";
import type { Config } from "../../config.ts";
import type { PageResponse } from "../frame/page.ts";
import { STEP_COOKIE } from "../frame/page-cookies.ts";
import { redirect } from "../frame/redirect.ts";

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
