import { deflateRawSync, inflateRawSync } from "node:zlib";
import { createSealedValues } from "../../crypto/sealed-values.ts";
import { readAccount } from "../../sign-in/read-account.ts";
import { chooseLanguage } from "../../texts/languages.ts";
import { createCookie } from "../frame/cookies.ts";
import { findLanguage } from "../frame/find-branding.ts";
import { type KeptPage, redirectToKept, SHOWN, showKept } from "../frame/kept-page.ts";
import type { PageResponse, PageRoute, Visit } from "../frame/page.ts";
import type { SubmitProblem } from "../frame/render-page.ts";
import { inOrg, redirect } from "../frame/responses.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { withQuery } from "./paths.ts";
import { requireRecentSignIn, returnHere } from "./recent-sign-in.ts";

/** What is wrong with a submitted form. */
export interface FormProblem extends SubmitProblem {
  /** The field with the problem; undefined if it concerns the whole form. */
  readonly field?: string | undefined;
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

/** The account of a signed-in user, or the redirect to a sign-in. */
type OpenedAccount =
  | { readonly ok: true; readonly visit: AccountVisit }
  | { readonly ok: false; readonly page: PageResponse };

/** Finds the session of a visit and its user. The opened visit is in the user's language. */
async function openAccount(parts: AccountParts, visit: Visit): Promise<OpenedAccount> {
  const { db, clock, sessions, brandings } = parts;
  const { request, caller } = visit;
  const session = await sessions.find(request.headers.cookie);
  const account = session && (await readAccount({ db, now: clock() }, session.userId, caller));
  if (session !== undefined && account !== undefined) {
    const tag = chooseLanguage(account.preferred_language) ?? visit.language.tag;
    const language = await findLanguage(brandings, tag, account.orgId, caller);
    return { ok: true, visit: { ...visit, language, session, account } };
  }
  const orgId = request.query.get("org");
  const url = sessions.signInUrl(orgId === null ? {} : { orgId });
  return { ok: false, page: redirect(url, returnHere(parts, visit)) };
}

/** Long enough to read an error and reload the page. */
const VALID_SECONDS = 5 * 60;
const COOKIE = createCookie("signet-account-page", VALID_SECONDS);
/** Browsers store cookies of up to 4,096 bytes, with the name and the attributes. */
const MAX_COOKIE_BYTES = 3_800;

/** Each is a KeptPage as compressed JSON in base64. It is stored in a cookie, because the account pages store nothing per session. */
const SEALED_PAGES = createSealedValues<string>({ table: "account", column: "page", validSeconds: VALID_SECONDS });

/** A page that is too large for a cookie, such as one with hundreds of passkeys, is not kept. */
function redirectToPage(parts: AccountParts, visit: AccountVisit, page: PageResponse): Promise<PageResponse> {
  const { request, session, account, caller } = visit;
  return redirectToKept(page, {
    findBranding: () => parts.brandings.find(account.orgId, caller),
    async keep(kept) {
      const compressed = deflateRawSync(JSON.stringify(kept)).toString("base64");
      const sealed = SEALED_PAGES.seal(parts, session.id, compressed);
      if (sealed.length > MAX_COOKIE_BYTES) return undefined;
      const url = withQuery(request.path, { ...Object.fromEntries(request.query), [SHOWN]: kept.shown });
      return { url, cookies: [COOKIE.header(parts, sealed)] };
    },
  });
}

function findKeptPage(parts: AccountParts, visit: AccountVisit): PageResponse | undefined {
  const { request, session } = visit;
  if (!request.query.has(SHOWN)) return undefined;
  const compressed = SEALED_PAGES.open(parts, session.id, COOKIE.read(parts, visit));
  if (compressed === undefined) return undefined;
  const page: KeptPage = JSON.parse(inflateRawSync(Buffer.from(compressed, "base64")).toString());
  return showKept(page, request.query);
}
