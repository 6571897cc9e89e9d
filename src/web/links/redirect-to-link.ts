import type { FoundCode } from "../../codes/find-code.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";

/**
 * What the form of a link has done, as parameters of the URL of its page. They only choose among the page's texts: the
 * state of the code decides which of them can be shown.
 */
export interface LinkResult {
  /** Why the form was rejected. */
  readonly error?: string;
  readonly done?: string;
  /** Whether a new code was sent. */
  readonly sent?: "yes" | "no";
}

/**
 * Redirects from the form of a link to the page of the link, so that neither a reload nor the back button sends the form
 * again.
 */
export function redirectToLink(
  path: string,
  { text }: FoundCode,
  result: LinkResult = {},
  cookies: readonly string[] = [],
): PageResponse {
  return redirect(`${path}?${new URLSearchParams({ code: text, ...result })}`, cookies);
}
