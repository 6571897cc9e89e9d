import { randomBytes } from "node:crypto";
import type { PageBranding } from "../../branding/create-brandings.ts";
import type { PageHeaders, PageResponse } from "./page.ts";

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

/**
 * Lays out a page that answers a form, in its branding.
 *
 * @returns Also the cookies, which belong to the redirect; undefined for what needs no redirect, such as a redirect.
 */
export async function layOutToKeep(
  { status, headers, body }: PageResponse,
  findBranding: () => Promise<PageBranding>,
): Promise<{ readonly page: KeptPage; readonly cookies: readonly string[] } | undefined> {
  if (status === 303 || typeof body !== "function") return undefined;
  const { "set-cookie": cookies = [], ...rest } = headers;
  return {
    page: { shown: createShown(), status, headers: rest, body: body(await findBranding()) },
    cookies: [cookies].flat(),
  };
}

/** The kept page if the URL is its own, and no other page has replaced it. */
export function showKept(page: KeptPage | undefined, query: URLSearchParams): PageResponse | undefined {
  if (page === undefined || page.shown !== query.get(SHOWN)) return undefined;
  const { status, headers, body } = page;
  return { status, headers, body };
}
