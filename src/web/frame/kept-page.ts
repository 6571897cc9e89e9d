import { randomBytes } from "node:crypto";
import type { PageBranding } from "../../branding/create-brandings.ts";
import type { PageHeaders, PageResponse } from "./page.ts";
import { redirect } from "./responses.ts";

/** A page that answers a form. It is kept, so that the form can redirect to it. */
export interface KeptPage {
  /** The value of `SHOWN` in the URL of the page. */
  readonly shown: string;
  readonly status: number;
  readonly headers: PageHeaders;
  readonly body: string;
}

/** The parameter in the URL of a kept page. */
export const SHOWN = "shown";

/** A new value of the parameter. */
export function createShown(): string {
  return randomBytes(6).toString("base64url");
}

interface PageKeeper {
  /** The branding in which the page is laid out. */
  readonly findBranding: () => Promise<PageBranding>;
  /** Keeps a page, and returns its URL; undefined if it cannot be kept. */
  readonly keep: (
    page: KeptPage,
  ) => Promise<{ readonly url: string; readonly cookies?: readonly string[] } | undefined>;
}

/**
 * Redirects to the page that answers a form, so that neither a reload nor the back button sends the form again. The
 * cookies of the page belong to the redirect. What needs no redirect, such as a redirect, is returned as it is.
 */
export async function redirectToKept(page: PageResponse, { findBranding, keep }: PageKeeper): Promise<PageResponse> {
  const { status, body } = page;
  if (status === 303 || typeof body !== "function") return page;
  const { "set-cookie": own = [], ...headers } = page.headers;
  const kept = await keep({ shown: createShown(), status, headers, body: body(await findBranding()) });
  return kept === undefined ? page : redirect(kept.url, [own, kept.cookies ?? []].flat());
}

/** The kept page if the URL is its own, and no other page has replaced it. */
export function showKept(page: KeptPage | undefined, query: URLSearchParams): PageResponse | undefined {
  if (page === undefined || page.shown !== query.get(SHOWN)) return undefined;
  const { status, headers, body } = page;
  return { status, headers, body };
}
