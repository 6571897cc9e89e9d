import { IDP_ACTIONS } from "./idp-pages.ts";
import type { SignInStep } from "./sign-in-context.ts";
import type { StepOptions } from "./step-options.ts";

/** The signed-in user decides whether to link the external user to the account. */
export function createLinkStep({
  gates,
  pendingLinks,
  askAgain,
}: Pick<StepOptions, "gates" | "pendingLinks" | "askAgain">): SignInStep {
  return {
    postForm: (visit, request, form) =>
      gates.afterGates(visit, request, form, async (user, proved) => {
        const isWanted = form.get("do") === IDP_ACTIONS.link;
        const linked = isWanted ? await pendingLinks.link(visit, request, user) : user;
        if (linked === undefined) {
          const again = await pendingLinks.confirm(visit, request, user, proved, { hasFailed: true });
          return again ?? askAgain(visit, request);
        }
        pendingLinks.settle(request);
        return await gates.proceed(visit, request, linked, proved);
      }),
  };
}
