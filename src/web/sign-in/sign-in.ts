import { findApp } from "../../apps/find-app.ts";
import { networkOf } from "../../http/network-of.ts";
import { listPasskeyDescriptors, type PasskeyDescriptor } from "../../passkeys/find-passkeys.ts";
import { findSignInUser, type SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { signInWithPassword } from "../../sign-in/sign-in-with-password.ts";
import { ACCOUNT_APP } from "../account/sessions.ts";
import type { PageResponse, PageRoute, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { ACCOUNT_PATH } from "../frame/sign-in-link.ts";
import { createForgottenRoute } from "./forgotten.ts";
import { createGateSteps } from "./gate-steps.ts";
import { createGates } from "./gates.ts";
import { createIdpSteps } from "./idp.ts";
import { createIdpOffers } from "./idp-offers.ts";
import { createPasskeyStep } from "./passkey-step.ts";
import { createPendingLinks } from "./pending-links.ts";
import { reportCheck } from "./report-check.ts";
import { type SignInContext, type SignInStep, STEPS } from "./sign-in-context.ts";
import { CANCEL, endedPage, type Restart, type SignInForm, signInPage } from "./sign-in-page.ts";
import type { SignInRequest } from "./sign-in-requests.ts";
import { IDP_TEXTS } from "./texts/idp-texts.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";
import { tooOften } from "./too-often.ts";

/** How long the browser waits for a passkey, in milliseconds. */
const PASSKEY_TIMEOUT_MS = 300_000;

/**
 * `/ui/sign-in/<id>`: the pages of a sign-in requested by an application (docs/sign-in.md). Returns the route of a
 * path; undefined if there is none.
 */
export function createSignInRoutes(context: SignInContext): (path: string) => PageRoute | undefined {
  const { config, db, deviceCookie, signInRequests, formTokens, passkeyChallenges } = context;
  const idpOffers = createIdpOffers(context);
  const pendingLinks = createPendingLinks(context);
  const gates = createGates(context, { askAgain, beforeFinish: pendingLinks.confirm });
  const gateSteps = createGateSteps(context, { gates, askAgain });
  const idpSteps = createIdpSteps(context, { gates, pendingLinks, askAgain, findExpected });
  const steps: Readonly<Record<string, SignInStep>> = {
    [STEPS.signIn]: { get: showFirst, postForm: submit },
    [STEPS.passkey]: createPasskeyStep(context, { findExpected, refuse: showFirst, proceed: gates.enter }),
    [STEPS.newPassword]: gateSteps.newPassword,
    [STEPS.address]: gateSteps.address,
    [STEPS.oneTimeCode]: gateSteps.oneTimeCode,
    [STEPS.passkeyOffer]: gateSteps.passkeyOffer,
    [STEPS.forgotten]: createForgottenRoute(context),
    [STEPS.idp]: idpSteps.idp,
    [STEPS.external]: idpSteps.external,
    [STEPS.link]: idpSteps.link,
  };

  return (path) => {
    const [, id = "", rest = ""] = /^\/ui\/sign-in\/([\w-]{1,128})(\/[a-z-]+)?$/.exec(path) ?? [];
    const step = id === "" ? undefined : steps[rest];
    if (step === undefined) return undefined;
    const { get, postForm } = step;
    return {
      get: (visit) => withRequest(id, visit, get ?? showFirst),
      postForm: (visit, form) =>
        withRequest(id, visit, (found, request) =>
          formTokens.isValid(request.id, form.get("token")) ? postForm(found, request, form) : askAgain(found, request),
        ),
    };
  };

  /**
   * Finds the sign-in and its language. A sign-in that has ended, or was started in a different browser, is not found.
   */
  async function withRequest(
    id: string,
    visit: Visit,
    act: (visit: Visit, request: SignInRequest) => PageResponse | Promise<PageResponse>,
  ): Promise<PageResponse> {
    const request = await signInRequests.find(id, visit.request.headers.cookie);
    if (request === undefined) return endedPage(visit, await findRestart(visit));
    await idpOffers.load(visit, request);
    return await act({ ...visit, language: request.language ?? visit.language }, request);
  }

  async function findRestart({ request, caller }: Visit): Promise<Restart | undefined> {
    const id = request.query.get("app") ?? "";
    if (id === ACCOUNT_APP.id) return { name: ACCOUNT_APP.name, url: ACCOUNT_PATH };
    caller.throwIfOver();
    const app = await findApp(db, id);
    const url = app?.redirectUris
      .map((uri) => URL.parse(uri))
      .find((parsed) => /^https?:$/.test(parsed?.protocol ?? ""));
    return app && url ? { name: app.name, url: `${url.origin}/` } : undefined;
  }

  /** The first page. If a specific user must sign in, the browser is asked for that user's passkeys. */
  async function showFirst(
    visit: Visit,
    request: SignInRequest,
    problem?: SignInForm["problem"],
  ): Promise<PageResponse> {
    const expected = await findExpected(visit, request);
    const userName = expected?.userName ?? request.loginHint ?? "";
    const passkeys = expected === undefined ? [] : await listPasskeyDescriptors({ db, caller: visit.caller }, expected);
    const link = pendingLinks.find(visit, request);
    const idp = link && idpOffers.of(request).find(({ id }) => id === link.idpId);
    const notice = idp && IDP_TEXTS[visit.language].linkNotice(idp.name);
    const form = toForm(request, { userName, passkeys });
    return signInPage(request, visit, { ...form, notice, ...(problem && { problem }) });
  }

  /** Shows the form again: by default because it has no valid token, or its step has expired. */
  function askAgain(
    visit: Visit,
    request: SignInRequest,
    text = SIGN_IN_TEXTS[visit.language].errors.stale,
  ): PageResponse {
    return signInPage(request, visit, {
      ...toForm(request, { userName: request.loginHint ?? "" }),
      problem: { status: 422, text, isAboutPage: true },
    });
  }

  function toForm(
    request: SignInRequest,
    {
      userName,
      remember = false,
      passkeys = [],
    }: { userName: string; remember?: boolean; passkeys?: readonly PasskeyDescriptor[] },
  ): Omit<SignInForm, "problem" | "notice"> {
    const passkeyOptions = {
      challenge: passkeyChallenges.create(request.id),
      rpId: config.webauthnRpId,
      userVerification: "required",
      timeout: PASSKEY_TIMEOUT_MS,
      allowCredentials: passkeys,
    } as const;
    return { token: formTokens.create(request.id), userName, remember, passkeyOptions, idps: idpOffers.of(request) };
  }

  async function submit(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    if (form.get("do") === CANCEL) return redirect(await signInRequests.decline(request));
    const { address } = visit.request;
    const userName = form.get("username") ?? "";
    const remember = form.get("remember") === "yes";
    const attempt = {
      orgId: request.org.id,
      userName,
      password: form.get("password") ?? "",
      network: networkOf(address),
      deviceCookie: deviceCookie.read(visit),
    };
    const check = signInWithPassword({ ...context, caller: visit.caller }, attempt);
    const outcome = await reportCheck(context.metrics, "password", check);
    const { errors } = SIGN_IN_TEXTS[visit.language];
    const refuse = (problem: SignInForm["problem"] & object) =>
      signInPage(request, visit, { ...toForm(request, { userName, remember }), problem });
    switch (outcome.kind) {
      case "failed":
        return refuse({ status: 422, text: errors.failed });
      case "too-often":
        return refuse(tooOften(outcome.retrySeconds, visit.language));
      case "proved": {
        const { user } = outcome;
        const expected = await findExpected(visit, request);
        if (expected !== undefined && expected.id !== user.id) {
          return refuse({ status: 422, text: errors.otherUser(expected.userName) });
        }
        return await gates.enter(visit, request, user, { methods: ["pwd"], remember });
      }
      default:
        return outcome satisfies never;
    }
  }

  async function findExpected({ caller }: Visit, request: SignInRequest): Promise<SignInUser | undefined> {
    const { expectedUserId, org } = request;
    const user = expectedUserId === undefined ? undefined : await findSignInUser({ db, caller }, expectedUserId);
    return user?.orgId === org.id ? user : undefined;
  }
}
