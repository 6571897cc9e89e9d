import { findSignInUser } from "../../sign-in/find-sign-in-user.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { IDP_ACTIONS } from "./idp-pages.ts";
import type { IdpStepOptions } from "./idp-step-options.ts";
import type { SignInContext, SignInStep } from "./sign-in-context.ts";
import type { SignInRequest } from "./sign-in-requests.ts";

/** The person has signed in, and decides whether to link the external user to the account. */
export function createLinkStep(
  { db, proofs }: SignInContext,
  { gates, pendingLinks, askAgain }: Pick<IdpStepOptions, "gates" | "pendingLinks" | "askAgain">,
): SignInStep {
  return { postForm };

  async function postForm(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    const { caller } = visit;
    const proof = proofs.open(request.id, form.get("proof") ?? "");
    const user = proof && (await findSignInUser({ db, caller }, proof.userId));
    if (user === undefined || !proof?.isStillOf(user)) return askAgain(visit, request);
    const isWanted = form.get("do") === IDP_ACTIONS.link;
    const linked = isWanted ? await pendingLinks.link(visit, request, user) : user;
    if (linked === undefined) {
      const again = await pendingLinks.confirm(visit, request, user, proof, { hasFailed: true });
      return again ?? askAgain(visit, request);
    }
    pendingLinks.settle(request);
    return await gates.goOn(visit, request, linked, proof);
  }
}
