import type { IdpLinkPayload } from "../../events/catalogue.ts";
import { findSignInIdp } from "../../idps/find-sign-in-idp.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { signInTag } from "../../sign-in/idp-attempts.ts";
import { linkExternalUser } from "../../sign-in/link-external-user.ts";
import { createSealedValues } from "../../sign-in/sealed-values.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import type { Proved } from "./gates.ts";
import { confirmLinkPage } from "./idp-pages.ts";
import type { SignInContext } from "./sign-in-context.ts";
import type { SignInRequest } from "./sign-in-requests.ts";

/** External users to be linked to the account of a sign-in. The browser keeps them in a cookie. */
export interface PendingLinks {
  find(visit: Visit, request: SignInRequest): IdpLinkPayload | undefined;
  /** The header `set-cookie` that adds an external user to a sign-in. */
  toHeader(request: SignInRequest, link: IdpLinkPayload): string;
  /** The page that asks the signed-in user for a confirmation; undefined if there is nothing to confirm. */
  confirm(
    visit: Visit,
    request: SignInRequest,
    user: SignInUser,
    proved: Proved,
    options?: { readonly hasFailed: boolean },
  ): Promise<PageResponse | undefined>;
  /** Links the external user to the user after the user has confirmed it. Returns undefined if that is not possible. */
  link(visit: Visit, request: SignInRequest, user: SignInUser): Promise<SignInUser | undefined>;
  /** Records the user's decision, so that this request does not ask again. */
  settle(request: SignInRequest): void;
}

/** The time limit for signing in and passing the gates. */
const VALID_SECONDS = 15 * 60;

export function createPendingLinks(context: SignInContext): PendingLinks {
  const { db, clock, config, formTokens, proofs } = context;
  const { publicUrl } = config;
  const sealed = createSealedValues<IdpLinkPayload>(context, { column: "pending link", validSeconds: VALID_SECONDS });
  const settled = new WeakSet<SignInRequest>();
  const nameOf = ({ id }: SignInRequest) => `signet-link-${signInTag(id)}`;

  function find({ request: { headers } }: Visit, request: SignInRequest): IdpLinkPayload | undefined {
    const text = readCookie(headers.cookie, hostCookieName(nameOf(request), publicUrl));
    return text === undefined ? undefined : sealed.open(request.id, text);
  }

  return {
    find,
    toHeader: (request, link) =>
      hostCookie(nameOf(request), sealed.seal(request.id, link), { publicUrl, maxAgeSeconds: VALID_SECONDS }),
    async confirm(visit, request, user, proved, { hasFailed } = { hasFailed: false }) {
      const pending = settled.has(request) ? undefined : await findWithIdp(visit, request);
      return (
        pending &&
        confirmLinkPage(request, visit, pending.idp, {
          token: formTokens.create(request.id),
          proof: proofs.seal(request.id, user, proved),
          userName: user.userName,
          externalName: pending.link.displayName || pending.link.externalUserId,
          hasFailed,
        })
      );
    },
    async link(visit, request, user) {
      const pending = await findWithIdp(visit, request);
      const { caller } = visit;
      return pending && (await linkExternalUser({ db, clock, caller }, user, pending.idp, pending.link));
    },
    settle: (request) => void settled.add(request),
  };

  async function findWithIdp(visit: Visit, request: SignInRequest) {
    const link = find(visit, request);
    if (link === undefined) return undefined;
    const { caller } = visit;
    const idp = await findSignInIdp({ db, caller }, { orgId: request.org.id, idpId: link.idpId });
    return idp && { link, idp };
  }
}
