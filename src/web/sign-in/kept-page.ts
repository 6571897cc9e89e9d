import { randomBytes } from "node:crypto";
import { createSealedValues } from "../../crypto/sealed-values.ts";
import type { PageHeaders, PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** A page that answers a form. */
interface KeptPage {
  /** The value of the parameter `shown` in the URL of the page. */
  readonly shown: string;
  readonly status: number;
  readonly headers: PageHeaders;
  readonly body: string;
}

/** Pages contain form tokens and proofs, which a dump of the database must not. */
const SEALED_PAGES = createSealedValues<KeptPage>({ table: "sign-in", column: "page", validSeconds: 15 * 60 });

/**
 * Redirects to the page that answers a form, so that neither a reload nor the back button sends the form again. A
 * redirect is returned as it is.
 */
export async function redirectToPage(
  parts: SignInParts,
  visit: SignInVisit,
  page: PageResponse,
): Promise<PageResponse> {
  const { signIn, caller } = visit;
  if (page.status === 303 || typeof page.body !== "function") return page;
  const shown = randomBytes(6).toString("base64url");
  const body = page.body(await parts.brandings.find(signIn.org.id, caller));
  const { "set-cookie": cookies = [], ...headers } = page.headers;
  const kept = SEALED_PAGES.seal(parts, signIn.id, { shown, status: page.status, headers, body });
  caller.throwIfOver();
  await parts.interactions.keepPage(signIn, kept);
  return redirect(`${stepPath(signIn, "signIn")}&shown=${shown}`, [cookies].flat());
}

/** The page that the URL shows; undefined if there is none, or another page has replaced it. */
export function findKeptPage(parts: SignInParts, { signIn, request }: SignInVisit): PageResponse | undefined {
  const shown = request.query.get("shown");
  if (shown === null || signIn.keptPage === undefined) return undefined;
  const page = SEALED_PAGES.open(parts, signIn.id, signIn.keptPage);
  return page?.shown === shown ? { status: page.status, headers: page.headers, body: page.body } : undefined;
}
