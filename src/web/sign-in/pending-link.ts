import { createSealedValues } from "../../crypto/sealed-values.ts";
import { signInTag } from "../../sign-in/provider/idp-attempts.ts";
import type { PendingLink } from "../../sign-in/provider/link-external-user.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** The time limit for signing in and passing the gates. */
const VALID_SECONDS = 15 * 60;

const SEALED_LINKS = createSealedValues<PendingLink>({
  table: "sign-in",
  column: "pending link",
  validSeconds: VALID_SECONDS,
});

/** Reads the cookie with the external user to link to the account, if the user has asked for it and has not decided yet. */
export function readPendingLink(
  parts: SignInParts,
  { request, signIn, hasDecidedLink = false }: SignInVisit,
): PendingLink | undefined {
  const name = hostCookieName(nameOf(signIn.id), parts.config.publicUrl);
  const text = readCookie(request.headers.cookie, name);
  return text === undefined || hasDecidedLink ? undefined : SEALED_LINKS.open(parts, signIn.id, text);
}

/** The header `set-cookie` that keeps an external user until the user has signed in to the account. */
export function pendingLinkHeader(parts: SignInParts, signInId: string, link: PendingLink): string {
  const { publicUrl } = parts.config;
  const text = SEALED_LINKS.seal(parts, signInId, link);
  return hostCookie(nameOf(signInId), text, { publicUrl, maxAgeSeconds: VALID_SECONDS });
}

function nameOf(signInId: string): string {
  return `signet-link-${signInTag(signInId)}`;
}
