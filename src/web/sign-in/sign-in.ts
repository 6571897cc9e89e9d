import type { Label } from "../../branding/label-settings.ts";
import { createSealedValues } from "../../crypto/sealed-values.ts";
import { ACCOUNT_APP, accountAppName } from "../frame/account-app.ts";
import { findBranding } from "../frame/find-branding.ts";
import { type KeptPage, redirectToKept, SHOWN, showKept } from "../frame/kept-page.ts";
import type { PageResponse, PageRoute, Visit } from "../frame/page.ts";
import { inOrg, redirect, withCookies } from "../frame/responses.ts";
import { endedPage, findRestart } from "./ended-page.ts";
import { showFirstPage } from "./first-page/first-page.ts";
import { EARLIER_PROOFS, FLOW, isGateStep } from "./flow.ts";
import { identifyPage } from "./identify.ts";
import type { SignInOrg } from "./interactions.ts";
import { redirectDirectly } from "./provider/idp.ts";
import type { SignInParts, SignInStep, SignInVisit } from "./sign-in-parts.ts";
import { STEPS, type StepName, stepPath } from "./steps.ts";
import { enterGates, isIdentifierMissing, takeStep } from "./take-step.ts";

const NAMES = new Map<string, StepName>(Object.entries(STEPS).map(([name, path]) => [path, name as StepName]));

/**
 * `/ui/sign-in/<id>`: the pages of a sign-in requested by an application (docs/sign-in.md). Returns the route of a
 * path; undefined if there is none.
 */
export function findSignInRoute(path: string): PageRoute<SignInParts> | undefined {
  const [, id = "", rest = ""] = /^\/ui\/sign-in\/([\w-]{1,128})(\/[a-z-]+)?$/.exec(path) ?? [];
  const name = id === "" ? undefined : NAMES.get(rest);
  if (name === undefined) return undefined;
  return {
    get: (parts, visit) => show(parts, visit, id, name),
    postForm: (parts, visit, form) => submit(parts, visit, id, name, form),
  };
}

async function show(parts: SignInParts, visit: Visit, id: string, name: StepName): Promise<PageResponse> {
  const { get, elsewhere } = findWayIn(name) ?? {};
  const found = await findSignIn(parts, visit, id);
  if (found === undefined) return await (elsewhere?.get ?? showEnded)(parts, visit, id);
  const kept = findKeptPage(parts, found);
  if (kept !== undefined) return kept;
  const byProof = get === undefined ? await signInByEarlierProof(parts, found) : undefined;
  if (byProof !== undefined) return inOrg(found.signIn.org.id, await redirectToPage(parts, found, byProof));
  const isFirst = isIdentifierMissing(found, name, visit.request.query);
  const direct = name === "signIn" && !isFirst ? await redirectDirectly(parts, found) : undefined;
  if (direct !== undefined) return inOrg(found.signIn.org.id, direct);
  const page = isFirst
    ? identifyPage(parts, found)
    : await enterGates(parts, found, await (get ?? showFirstPage)(parts, found));
  // A provider's response counts once, so the page that follows must not need it again.
  return inOrg(found.signIn.org.id, name === "idp" ? await redirectToPage(parts, found, page) : page);
}

/** Continues with a user who has authenticated before the sign-in started. */
async function signInByEarlierProof(parts: SignInParts, visit: SignInVisit): Promise<PageResponse | undefined> {
  for (const { find, forget } of EARLIER_PROOFS) {
    const found = await find(parts, visit);
    if (found === undefined) continue;
    const page = await enterGates(parts, visit, found);
    return forget === undefined ? page : withCookies(page, [forget(parts)]);
  }
  return undefined;
}

async function submit(
  parts: SignInParts,
  visit: Visit,
  id: string,
  name: StepName,
  form: URLSearchParams,
): Promise<PageResponse> {
  const found = await findSignIn(parts, visit, id);
  if (found !== undefined) return await redirectToPage(parts, found, await takeStep(parts, found, name, form));
  const { elsewhere } = findWayIn(name) ?? {};
  if (elsewhere !== undefined) return await elsewhere.postForm(parts, visit, id, form);
  // Opened by GET, it explains that the sign-in has ended.
  return redirect(stepPath({ id, app: { id: visit.request.query.get("app") ?? "" } }, "signIn"));
}

function findWayIn(name: StepName): SignInStep | undefined {
  return isGateStep(name) ? undefined : FLOW[name];
}

/** A sign-in that has ended, or was started in a different browser, is not found. */
async function findSignIn(parts: SignInParts, visit: Visit, id: string): Promise<SignInVisit | undefined> {
  const found = await parts.interactions.find(id, visit.request.headers.cookie);
  if (found === undefined) return undefined;
  const { label, languageOf } = await findBranding(parts.brandings, found.org.id, visit.caller);
  const accountApp = { ...found.app, name: accountAppName(label, parts.config.publicUrl) };
  const signIn = found.app.id === ACCOUNT_APP.id ? { ...found, app: accountApp } : found;
  const language = languageOf(signIn.language ?? visit.language.tag);
  const shownOrgName = isNameOnTop(label, found.org) ? undefined : found.org.shownName;
  return { ...visit, language, signIn, shownOrgName };
}

/** Whether the top of the page is the registered name of the organization. */
export function isNameOnTop({ name, logo, logoDark }: Label, { shownName }: SignInOrg): boolean {
  return name === shownName && logo === null && logoDark === null;
}

async function showEnded(parts: SignInParts, visit: Visit): Promise<PageResponse> {
  return endedPage(visit, await findRestart(parts, visit));
}

/** Pages contain form tokens and proofs, which a dump of the database must not. */
const SEALED_PAGES = createSealedValues<KeptPage>({ table: "sign-in", column: "page", validSeconds: 15 * 60 });

function redirectToPage(
  parts: SignInParts,
  { signIn, caller }: SignInVisit,
  page: PageResponse,
): Promise<PageResponse> {
  return redirectToKept(page, {
    findBranding: () => parts.brandings.find(signIn.org.id, caller),
    async keep(kept) {
      const sealed = SEALED_PAGES.seal(parts, signIn.id, kept);
      caller.throwIfOver();
      await parts.interactions.keepPage(signIn, sealed);
      return { url: `${stepPath(signIn, "signIn")}&${SHOWN}=${kept.shown}` };
    },
  });
}

function findKeptPage(parts: SignInParts, { signIn, request }: SignInVisit): PageResponse | undefined {
  if (!request.query.has(SHOWN) || signIn.keptPage === undefined) return undefined;
  return showKept(SEALED_PAGES.open(parts, signIn.id, signIn.keptPage), request.query);
}
