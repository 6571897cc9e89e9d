import type { Logger } from "pino";
import type { RunTogether } from "../../database/run-together.ts";
import type { SamlThread } from "../../idps/saml/saml-thread.ts";
import type { PasswordHooks } from "../../password-hook/create-password-hooks.ts";
import type { AttemptLimit } from "../../sign-in/attempt-limit.ts";
import type { FailedSignIns } from "../../sign-in/failed-sign-ins.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import type { PasskeyChallenges } from "../../sign-in/passkey/passkey-challenges.ts";
import type { PasswordCheck } from "../../sign-in/password/record-password-events.ts";
import type { Proved } from "../../sign-in/proof.ts";
import type { IdpClients } from "../../sign-in/provider/idp-clients.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import type { FormTokens } from "../frame/form-token.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import type { LinkParts } from "../links/link-parts.ts";
import type { IdpOffers } from "./idp-offers.ts";
import type { Interaction, Interactions } from "./interactions.ts";

/** The parts of the pages of a sign-in. */
export interface SignInParts extends LinkParts {
  readonly interactions: Interactions;
  readonly runTogether: RunTogether;
  readonly attemptLimit: AttemptLimit;
  readonly failedSignIns: FailedSignIns;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly formTokens: FormTokens;
  readonly passwordHooks: PasswordHooks;
  readonly idpClients: IdpClients;
  readonly saml: SamlThread;
  readonly idpOffers: IdpOffers;
  readonly metrics?: Metrics | undefined;
  readonly log: Logger;
}

/** A visit to a page of a sign-in in progress. */
export interface SignInVisit extends Visit {
  readonly signIn: Interaction;
  /** The name of the organization below the heading, if the top of the page does not show it. */
  readonly shownOrgName: string | undefined;
  /** Whether the user has just chosen a password rather than a passkey. */
  readonly hasDeclinedPasskey?: boolean;
  /** Whether the user has just decided about the external user to link to the account. */
  readonly hasDecidedLink?: boolean;
}

/** A user, and how the user has authenticated in a sign-in. */
export interface ProvedUser {
  readonly user: SignInUser;
  readonly proved: Proved;
}

/** What a step leads to: a page, or a user for whom the gates decide what is next. */
export type StepResult = PageResponse | ProvedStep;

export interface ProvedStep extends ProvedUser {
  /** What the step has changed in the visit. */
  readonly visit?: SignInVisit;
  /** The correct password, if it is not recorded yet. */
  readonly check?: PasswordCheck | undefined;
}

/** A way in: a step of a person who has not authenticated. */
export interface SignInStep {
  /** Absent for steps without a page, for which the first page is shown. */
  readonly get?: (parts: SignInParts, visit: SignInVisit) => StepResult | Promise<StepResult>;
  /** Called only if the form has a valid token. */
  readonly postForm: (parts: SignInParts, visit: SignInVisit, form: URLSearchParams) => Promise<StepResult>;
  readonly elsewhere?: ElsewhereStep;
}

/** The handlers for a browser in which the sign-in with this id is not in progress. */
export interface ElsewhereStep {
  readonly get: (parts: SignInParts, visit: Visit, id: string) => Promise<PageResponse>;
  readonly postForm: (parts: SignInParts, visit: Visit, id: string, form: URLSearchParams) => Promise<PageResponse>;
}

/** What is asked after all gates. */
export type QuestionName = "passkey-offer" | "link";

/** A step of a user who has authenticated. */
export interface GateStep<Page = PageResponse> {
  readonly ask: (parts: SignInParts, visit: SignInVisit, at: ProvedUser) => Page | Promise<Page>;
  /** Handles the form of the page. Called only if it has a valid token, and the step is the user's next one. */
  readonly answer: (
    parts: SignInParts,
    visit: SignInVisit,
    at: ProvedUser,
    form: URLSearchParams,
  ) => Promise<StepResult>;
}

/** A step after all gates, which has no page if the question does not concern the user. */
export type QuestionStep = GateStep<PageResponse | undefined>;

/** A proof that a user has brought to the sign-in. */
export interface EarlierProof {
  /** Undefined if there is none, so that the user has to sign in as usual. */
  readonly find: (parts: SignInParts, visit: SignInVisit) => Promise<StepResult | undefined>;
  /** The header `set-cookie` that deletes the proof, which counts once. */
  readonly forget?: (parts: SignInParts) => string;
}
