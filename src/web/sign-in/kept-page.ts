import { createSealedValues } from "../../crypto/sealed-values.ts";
import { type KeptPage, layOutToKeep, SHOWN, showKept } from "../frame/kept-page.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

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
  const kept = await layOutToKeep(page, () => parts.brandings.find(signIn.org.id, caller));
  if (kept === undefined) return page;
  const sealed = SEALED_PAGES.seal(parts, signIn.id, kept.page);
  caller.throwIfOver();
  await parts.interactions.keepPage(signIn, sealed);
  return redirect(`${stepPath(signIn, "signIn")}&${SHOWN}=${kept.page.shown}`, kept.cookies);
}

/** The page that the URL shows; undefined if there is none, or another page has replaced it. */
export function findKeptPage(parts: SignInParts, { signIn, request }: SignInVisit): PageResponse | undefined {
  if (!request.query.has(SHOWN) || signIn.keptPage === undefined) return undefined;
  return showKept(SEALED_PAGES.open(parts, signIn.id, signIn.keptPage), request.query);
}
