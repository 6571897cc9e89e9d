import { type CookieParts, createCookie, createSealedCookie } from "./cookies.ts";
import type { Visit } from "./page.ts";

/** The page, encoded, that a sign-in to the account page returns to. */
export const RETURN_COOKIE = createCookie("signet-account-next", 15 * 60);

/** The header `set-cookie` that makes a sign-in return to a page. */
export function returnTo(parts: CookieParts, page: string): string {
  return RETURN_COOKIE.header(parts, encodeURIComponent(page));
}

/**
 * The organization in which the browser has last completed a link, a registration or a sign-in. It lasts longer than it
 * takes to read the page that completes a step.
 */
export const STEP_COOKIE = createCookie("signet-step", 15 * 60);

/** A user who has just set the first password with the link of an initialization email. */
interface LinkProof {
  readonly userId: string;
  /** The user's sequence after that. A sign-in increments it, so that a proof counts once. */
  readonly sequence: string;
}

/** The proof is valid in one organization, for longer than the redirects to the sign-in take. */
export const LINK_PROOF = createSealedCookie<LinkProof>("signet-link-proof", {
  table: "sign-in",
  column: "link",
  validSeconds: 120,
});

/** The path of the sign-in in which a new password was requested, as long as the link to set it works. */
export const RESET_ORIGIN = createCookie("signet-reset-origin", 3_600);

const SIGN_IN_PAGE = /^\/ui\/sign-in\/[\w-]{1,100}\?app=[\w%.~-]{1,300}$/;

/** The path of that sign-in, which leads back to the application, also if it has ended; undefined in other browsers. */
export function readResetOrigin(parts: CookieParts, visit: Visit): string | undefined {
  const path = RESET_ORIGIN.read(parts, visit);
  return SIGN_IN_PAGE.test(path) ? path : undefined;
}
