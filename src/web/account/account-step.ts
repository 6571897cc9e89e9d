import { inOrg } from "../frame/lay-out.ts";
import type { PageHeaders, PageResponse, PageRoute, Visit } from "../frame/page.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { findKeptPage, redirectToPage } from "./kept-page.ts";
import { openAccount } from "./open-account.ts";
import { requireRecentSignIn } from "./recent-sign-in.ts";

/** What is wrong with a submitted form. */
export interface FormProblem {
  readonly text: string;
  /** The field with the problem; undefined if it concerns the whole form. */
  readonly field?: string | undefined;
  readonly status?: number;
  readonly headers?: PageHeaders;
}

/** A page below `/ui/account`, which shows a form and handles it. */
export interface AccountStep {
  /** Whether it changes how the user signs in, and therefore requires a recent sign-in. */
  readonly isSensitive: boolean;
  readonly show: (
    parts: AccountParts,
    visit: AccountVisit,
    problem?: FormProblem,
    form?: URLSearchParams,
  ) => PageResponse | Promise<PageResponse>;
  /** Called only with a valid form token. */
  readonly submit?: (parts: AccountParts, visit: AccountVisit, form: URLSearchParams) => Promise<PageResponse>;
}

/**
 * The route of a step: finds the session and its user, or redirects to a sign-in that returns here; then checks that the
 * user has signed in recently, and that the form is from a page of this session.
 */
export function accountRoute({ isSensitive, show, submit }: AccountStep): PageRoute<AccountParts> {
  async function open(
    parts: AccountParts,
    given: Visit,
    act: (visit: AccountVisit) => PageResponse | Promise<PageResponse>,
  ): Promise<PageResponse> {
    const opened = await openAccount(parts, given);
    if (!opened.ok) return opened.page;
    const signInFirst = isSensitive ? requireRecentSignIn(parts, opened.visit) : undefined;
    return inOrg(opened.visit.account.orgId, signInFirst ?? (await act(opened.visit)));
  }

  return {
    get: (parts, given) => open(parts, given, (visit) => findKeptPage(parts, visit) ?? show(parts, visit)),
    ...(submit && {
      postForm: (parts, given, form) =>
        open(parts, given, async (visit) => {
          const isOwn = parts.formTokens.isValid(visit.session.id, form.get("token"));
          const stale = { text: visit.language.texts.account.stale };
          const page = isOwn ? await submit(parts, visit, form) : await show(parts, visit, stale);
          return await redirectToPage(parts, visit, page);
        }),
    }),
  };
}
