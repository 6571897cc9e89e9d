import { SignetError } from "../../errors.ts";
import { networkOf } from "../../http/network-of.ts";
import { LONGEST_PASSWORD } from "../../passwords/policy.ts";
import { changePassword as storePassword } from "../../sign-in/change-password.ts";
import { checkOneTimeCode } from "../../sign-in/check-one-time-code.ts";
import { findSignInUser, type SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { type Gate, nextGate, withOneTimeCode } from "../../sign-in/gates.ts";
import { openOneTimeCode } from "../../sign-in/one-time-code.ts";
import type { Proof } from "../../sign-in/proof.ts";
import { sendAddressLink } from "../../sign-in/send-address-link.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { createCheckNewPassword, type RefusedPassword } from "../links/new-password-fields.ts";
import { addressPage, newPasswordPage, SEND_LINK } from "./gate-pages.ts";
import { type CodeProblem, oneTimeCodePage } from "./one-time-code-page.ts";
import { createPasskeyOffer } from "./passkey-offer.ts";
import { reportCheck } from "./report-check.ts";
import type { SignInContext } from "./sign-in-context.ts";
import { endedPage } from "./sign-in-page.ts";
import type { SignInRequest } from "./sign-in-requests.ts";
import { ONE_TIME_CODE_TEXTS } from "./texts/one-time-code-texts.ts";
import { tooOften } from "./too-often.ts";

export type Proved = Omit<Proof, "userId">;

interface GatesOptions {
  readonly askAgain: (visit: Visit, request: SignInRequest) => PageResponse;
  readonly beforeFinish: (
    visit: Visit,
    request: SignInRequest,
    user: SignInUser,
    proved: Proved,
  ) => Promise<PageResponse | undefined>;
}

/**
 * The steps after a user has authenticated, for every way to sign in: the gates in their order (docs/sign-in.md), then
 * the redirect to the application.
 *
 * @param options `askAgain`: returns to the first page, for a proof that is no longer valid. `beforeFinish`: a page
 *   with a question before the redirect to the application; undefined if there is none.
 */
export function createGates(context: SignInContext, { askAgain, beforeFinish }: GatesOptions) {
  const { config, db, keyring, passwords, outbox, proofs, formTokens, deviceCookie, signInRequests } = context;
  const checkNewPassword = createCheckNewPassword(config);

  const passkeyOffer = createPasskeyOffer(context);

  return { enter, proceed, afterGates, changePassword, verifyAddress, verifyOneTimeCode, answerPasskeyOffer };

  /** Called when a user has just authenticated. Returns the same as `proceed`. */
  async function enter(visit: Visit, request: SignInRequest, user: SignInUser, proved: Proved): Promise<PageResponse> {
    const page = await nextPage(visit, request, user, proved);
    if (page === undefined) return await finish(visit, request, user, proved);
    visit.caller.throwIfOver();
    await signInRequests.prove(request, { userId: user.id, sequence: user.sequence });
    return page;
  }

  /**
   * The page of the next gate, or the redirect to the application.
   *
   * @param proved `methods`: the methods that this service has verified itself (RFC 8176).
   */
  async function proceed(
    visit: Visit,
    request: SignInRequest,
    user: SignInUser,
    proved: Proved,
  ): Promise<PageResponse> {
    return (await nextPage(visit, request, user, proved)) ?? (await finish(visit, request, user, proved));
  }

  /** The page of the next gate, or one with a question. Undefined if nothing is left. */
  async function nextPage(
    visit: Visit,
    request: SignInRequest,
    user: SignInUser,
    proved: Proved,
  ): Promise<PageResponse | undefined> {
    const gate = gateOf(user, proved);
    switch (gate) {
      case "verify-address":
        return await sendLink(visit, request, user, proved);
      case "one-time-code":
        return oneTimeCodePage(request, visit, user, toForm(request, user, proved));
      case "change-password":
        return newPasswordPage(request, visit, user, toForm(request, user, proved));
      case undefined:
        return (await passkeyOffer.isDue(visit, user, proved))
          ? passkeyOffer.page(request, visit, toForm(request, user, proved))
          : await beforeFinish(visit, request, user, proved);
      default:
        return gate satisfies never;
    }
  }

  function gateOf(user: SignInUser, { methods }: Proved): Gate | undefined {
    return nextGate(user, { methods, hasOneTimeCode: openOneTimeCode(keyring, user) !== undefined });
  }

  async function finish(visit: Visit, request: SignInRequest, user: SignInUser, proved: Proved): Promise<PageResponse> {
    visit.caller.throwIfOver();
    try {
      const { methods, remember, idpId } = proved;
      const { id: userId, sequence, passwordHash } = user;
      const signedIn = { userId, sequence, passwordHash, methods, remember, idpId };
      const location = await signInRequests.finish(request, signedIn);
      context.metrics?.signInFinished();
      return redirect(location, [deviceCookie.toHeader(visit, user, "sign-in")]);
    } catch (error) {
      // In the meantime, the sign-in or the user's sessions have ended.
      if (error instanceof SignetError && error.reason === "USER_NOT_FOUND") return endedPage(visit, undefined);
      throw error;
    }
  }

  function toForm(request: SignInRequest, user: SignInUser, proved: Proved) {
    return { token: formTokens.create(request.id), proof: proofs.seal(request.id, user, proved) };
  }

  /** The user and the proof of a gate's form, if both are still valid. */
  async function openProof({ caller }: Visit, request: SignInRequest, form: URLSearchParams) {
    const proof = proofs.open(request.id, form.get("proof") ?? "");
    if (proof?.userId !== request.provedUserId) return undefined;
    const user = proof && (await findSignInUser({ db, caller }, proof.userId));
    return proof && user && proof.isStillOf(user) ? { user, proved: proof } : undefined;
  }

  /**
   * Acts for a user who has passed all gates; otherwise returns the next gate, because forms of gates contain proofs
   * too.
   */
  async function afterGates(
    visit: Visit,
    request: SignInRequest,
    form: URLSearchParams,
    act: (user: SignInUser, proved: Proved) => Promise<PageResponse>,
  ): Promise<PageResponse> {
    const opened = await openProof(visit, request, form);
    if (opened === undefined) return askAgain(visit, request);
    const { user, proved } = opened;
    return gateOf(user, proved) === undefined ? await act(user, proved) : await proceed(visit, request, user, proved);
  }

  async function sendLink(visit: Visit, request: SignInRequest, user: SignInUser, proved: Proved) {
    const canSend = outbox.sendsEmail;
    if (canSend) await sendAddressLink(context, user);
    return addressPage(request, visit, user, { ...toForm(request, user, proved), canSend });
  }

  async function verifyAddress(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    const opened = await openProof(visit, request, form);
    if (opened === undefined) return askAgain(visit, request);
    const { user, proved } = opened;
    if (user.emailVerified) return await proceed(visit, request, user, proved);
    if (form.get("do") === SEND_LINK) return await sendLink(visit, request, user, proved);
    const gateForm = { ...toForm(request, user, proved), canSend: outbox.sendsEmail, isTooEarly: true } as const;
    return addressPage(request, visit, user, gateForm);
  }

  async function verifyOneTimeCode(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    const opened = await openProof(visit, request, form);
    if (opened === undefined) return askAgain(visit, request);
    const { user, proved } = opened;
    if (gateOf(user, proved) !== "one-time-code") return await proceed(visit, request, user, proved);
    const { language } = visit;
    const recovery = form.get("recovery");
    const check = checkOneTimeCode({ ...context, caller: visit.caller }, user, {
      code: recovery ?? form.get("code") ?? "",
      network: networkOf(visit.request.address),
      deviceCookie: deviceCookie.read(visit),
    });
    const outcome = await reportCheck(context.metrics, "one_time_code", check);
    const refuse = (problem: Omit<CodeProblem, "isRecovery">) => {
      const refused = { ...problem, isRecovery: recovery !== null };
      return oneTimeCodePage(request, visit, user, { ...toForm(request, user, proved), problem: refused });
    };
    switch (outcome.kind) {
      case "failed":
        return refuse({ status: 422, text: ONE_TIME_CODE_TEXTS[language].wrong });
      case "too-often":
        return refuse(tooOften(outcome.retrySeconds, language));
      case "proved":
        return await proceed(visit, request, outcome.user, { ...proved, methods: withOneTimeCode(proved.methods) });
      default:
        return outcome satisfies never;
    }
  }

  async function answerPasskeyOffer(
    visit: Visit,
    request: SignInRequest,
    form: URLSearchParams,
  ): Promise<PageResponse> {
    return await afterGates(visit, request, form, async (user, proved) => {
      const gateForm = toForm(request, user, proved);
      return (
        (await passkeyOffer.answer(visit, request, user, form, gateForm)) ??
        (await proceed(visit, request, user, proved))
      );
    });
  }

  async function changePassword(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    const opened = await openProof(visit, request, form);
    if (opened === undefined) return askAgain(visit, request);
    const { user, proved } = opened;
    // The other gates come first.
    if (gateOf(user, proved) !== "change-password") return await proceed(visit, request, user, proved);
    const password = form.get("password") ?? "";
    const refused =
      checkNewPassword(user, password, form.get("repeat") ?? "") ?? (await findUnchanged(visit, user, password));
    if (refused !== undefined) {
      return newPasswordPage(request, visit, user, { ...toForm(request, user, proved), refused });
    }
    const changed = await storePassword({ ...context, caller: visit.caller }, user, password, {
      signInId: request.id,
    });
    return changed === undefined ? askAgain(visit, request) : await proceed(visit, request, changed, proved);
  }

  async function findUnchanged(
    { caller }: Visit,
    { orgId, passwordHash }: SignInUser,
    password: string,
  ): Promise<RefusedPassword | undefined> {
    const turn = { kind: "page", orgId } as const;
    const { matches } = await passwords.verify(password, passwordHash, { turn, ...caller });
    return matches ? { error: "unchanged", longestPassword: LONGEST_PASSWORD[config.passwordHash] } : undefined;
  }
}
