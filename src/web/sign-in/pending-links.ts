import { createSealedValues } from "../../crypto/sealed-values.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { signInTag } from "../../sign-in/idp-attempts.ts";
import type { PendingLink } from "../../sign-in/link-external-user.ts";
import { lacksOwnProof, type Proved } from "../../sign-in/proof.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { findAllowedIdp } from "./allowed-idp.ts";
import { toGateForm } from "./gate-form.ts";
import { confirmLinkPage } from "./idp-pages.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** The time limit for signing in and passing the gates. */
const VALID_SECONDS = 15 * 60;

const SEALED_LINKS = createSealedValues<PendingLink>({
  table: "sign-in",
  column: "pending link",
  validSeconds: VALID_SECONDS,
});

/** Reads the cookie with the external user to link to the account of a sign-in. */
export function readPendingLink(parts: SignInParts, { request }: Visit, signInId: string): PendingLink | undefined {
  const name = hostCookieName(nameOf(signInId), parts.config.publicUrl);
  const text = readCookie(request.headers.cookie, name);
  return text === undefined ? undefined : SEALED_LINKS.open(parts, signInId, text);
}

/** The header `set-cookie` that keeps an external user until the user has signed in to the account. */
export function pendingLinkHeader(parts: SignInParts, signInId: string, link: PendingLink): string {
  const { publicUrl } = parts.config;
  const text = SEALED_LINKS.seal(parts, signInId, link);
  return hostCookie(nameOf(signInId), text, { publicUrl, maxAgeSeconds: VALID_SECONDS });
}

/**
 * The page that asks the signed-in user whether to link the external user; undefined if there is none, its provider is
 * gone, or the user's proof does not allow it (`lacksOwnProof`).
 */
export async function confirmLink(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
  { hasFailed } = { hasFailed: false },
): Promise<PageResponse | undefined> {
  const { pendingLink } = visit;
  if (pendingLink === undefined || lacksOwnProof(proved, user)) return undefined;
  const { idpId, displayName, externalUserId } = pendingLink;
  const idp = await findAllowedIdp(parts, visit, idpId);
  if (idp === undefined) return undefined;
  const externalName = displayName || externalUserId;
  const form = { ...toGateForm(parts, visit, user, proved), userName: user.userName, externalName, hasFailed };
  return confirmLinkPage(visit, idp, form);
}

function nameOf(signInId: string): string {
  return `signet-link-${signInTag(signInId)}`;
}
