import type { Gate } from "../../sign-in/gates.ts";
import { LINK_PROOF } from "../frame/page-cookies.ts";
import { askForAddress, verifyAddress } from "./address.ts";
import { askForOneTimeCode, verifyOneTimeCode } from "./code/one-time-code.ts";
import { askForRecentProof, submitRecentProof } from "./code/recent-proof.ts";
import { askForSecondFactor, submitSecondFactor } from "./code/second-factor.ts";
import { signInByLink, signInUnsolicited, stepUp } from "./earlier-proofs.ts";
import { submitIdentifier } from "./identify.ts";
import { answerPasskeyOffer, offerPasskey } from "./passkey/passkey-offer.ts";
import { submitPasskey } from "./passkey/submit-passkey.ts";
import { askForNewPassword, setNewPassword } from "./password/new-password.ts";
import { submitPassword } from "./password/submit-password.ts";
import { submitExternalUser } from "./provider/external.ts";
import { beginIdpSignIn, completeIdpSignIn } from "./provider/idp.ts";
import { answerLink, confirmLink } from "./provider/link.ts";
import { ACCEPTED } from "./provider/unsolicited.ts";
import { registerElsewhere, showRegister, submitRegister } from "./register/register.ts";
import { requestReset, showForgotten } from "./reset/forgotten.ts";
import type { EarlierProof, GateStep, QuestionName, QuestionStep, SignInStep } from "./sign-in-parts.ts";
import type { StepName } from "./steps.ts";

type Flow = {
  readonly [Name in StepName]: Name extends Gate ? GateStep : Name extends QuestionName ? QuestionStep : SignInStep;
};

/** What a user may have proved before the sign-in, in the order in which it is looked for. */
export const EARLIER_PROOFS: readonly EarlierProof[] = [
  { find: signInByLink, forget: LINK_PROOF.forget },
  { find: signInUnsolicited, forget: ACCEPTED.forget },
  { find: stepUp },
];

/**
 * The steps of a sign-in (docs/sign-in.md): the ways in, each with its form, then what is asked of a user who has
 * authenticated, by whatever way. A step without `get` shows the first page.
 */
export const FLOW: Flow = {
  signIn: { postForm: submitPassword },
  identify: { postForm: submitIdentifier },
  passkey: { postForm: submitPasskey },
  idp: { get: completeIdpSignIn, postForm: beginIdpSignIn },
  external: { postForm: submitExternalUser },
  register: { get: showRegister, postForm: submitRegister, elsewhere: registerElsewhere },
  forgotten: { get: showForgotten, postForm: requestReset },

  // The gates, in the order of `nextGate`.
  "verify-address": { ask: askForAddress, answer: verifyAddress },
  "one-time-code": { ask: askForOneTimeCode, answer: verifyOneTimeCode },
  "second-factor": { ask: askForSecondFactor, answer: submitSecondFactor },
  "recent-proof": { ask: askForRecentProof, answer: submitRecentProof },
  "change-password": { ask: askForNewPassword, answer: setNewPassword },

  // What is asked after all gates, in the order of `QUESTIONS`.
  "passkey-offer": { ask: offerPasskey, answer: answerPasskeyOffer },
  link: { ask: confirmLink, answer: answerLink },
};

export const QUESTIONS = ["passkey-offer", "link"] as const satisfies readonly QuestionName[];

/** Whether a step is one of a user who has authenticated. */
export function isGateStep(name: StepName): name is Gate | QuestionName {
  return "ask" in FLOW[name];
}
