import { SignetError } from "../../errors.ts";
import { findSignInUser, type SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { type Gate, nextGate } from "../../sign-in/gates.ts";
import { openOneTimeCode } from "../../sign-in/one-time-code.ts";
import type { Proof } from "../../sign-in/proof.ts";
import { sendAddressLink } from "../../sign-in/send-address-link.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { addressPage, newPasswordPage } from "./gate-pages.ts";
import { oneTimeCodePage } from "./one-time-code-page.ts";
import { createPasskeyOffer } from "./passkey-offer.ts";
import type { SignInContext } from "./sign-in-context.ts";
import { endedPage } from "./sign-in-page.ts";
import type { SignInRequest } from "./sign-in-requests.ts";

export type Proved = Omit<Proof, "userId">;

type Act = (user: SignInUser, proved: Proved) => Promise<PageResponse>;

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
 * The flow after a user has authenticated, for every way to sign in: the gates in order (docs/sign-in.md), then the
 * redirect to the application.
 *
 * @param options `askAgain`: returns to the first page, for a proof that is no longer valid. `beforeFinish`: a page
 *   with a question before the redirect to the application; undefined if there is none.
 */
export function createGates(context: SignInContext, { askAgain, beforeFinish }: GatesOptions) {
  const { db, keyring, outbox, proofs, formTokens, deviceCookie, signInRequests } = context;
  const passkeyOffer = createPasskeyOffer(context);

  return { enter, proceed, atGate, afterGates, sendLink, toForm };

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
   * @param proved `methods`: the methods verified by this service (RFC 8176).
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
      // The sign-in or the user's sessions have ended in the meantime.
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

  /** Acts for a user who has passed all gates. */
  function afterGates(visit: Visit, request: SignInRequest, form: URLSearchParams, act: Act): Promise<PageResponse> {
    return atGate(undefined, visit, request, form, act);
  }

  /**
   * Acts for a user whose next gate is the one of the form. Otherwise returns that user's next gate, because the forms of
   * all gates contain proofs.
   */
  async function atGate(
    gate: Gate | undefined,
    visit: Visit,
    request: SignInRequest,
    form: URLSearchParams,
    act: Act,
  ): Promise<PageResponse> {
    const opened = await openProof(visit, request, form);
    if (opened === undefined) return askAgain(visit, request);
    const { user, proved } = opened;
    return gateOf(user, proved) === gate ? await act(user, proved) : await proceed(visit, request, user, proved);
  }

  async function sendLink(visit: Visit, request: SignInRequest, user: SignInUser, proved: Proved) {
    const canSend = outbox.sendsEmail;
    if (canSend) await sendAddressLink(context, user);
    return addressPage(request, visit, user, { ...toForm(request, user, proved), canSend });
  }
}
