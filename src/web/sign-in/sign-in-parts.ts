import type { Logger } from "pino";
import type { RunTogether } from "../../database/run-together.ts";
import type { OfferedIdp } from "../../idps/find-sign-in-idp.ts";
import type { SamlThread } from "../../idps/saml/saml-thread.ts";
import type { PasswordHooks } from "../../password-hook/create-password-hooks.ts";
import type { AttemptLimit } from "../../sign-in/attempt-limit.ts";
import type { AcceptedIdentifiers } from "../../sign-in/identifier.ts";
import type { IdpClients } from "../../sign-in/idp-clients.ts";
import type { PendingLink } from "../../sign-in/link-external-user.ts";
import type { PasskeyChallenges } from "../../sign-in/passkey-challenges.ts";
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
  /** By what users of the organization are found. */
  readonly identifiers: AcceptedIdentifiers;
  /** The providers that the pages offer. */
  readonly idps: readonly OfferedIdp[];
  /** Undefined unless the person has searched for one. */
  readonly idpSearch: { readonly text: string; readonly found: readonly OfferedIdp[] } | undefined;
  /** The external user to link to the account, if the user has asked for it and has not decided yet. */
  readonly pendingLink: PendingLink | undefined;
  /** Whether people can register. */
  readonly canRegister: boolean;
  /** The name of the organization below the heading, if the top of the page does not show it. */
  readonly shownOrgName: string | undefined;
  /** Whether the user has just chosen a password rather than a passkey. */
  readonly hasDeclinedPasskey?: boolean;
}

/** The handlers of one page of a sign-in in progress. */
export interface SignInStep {
  /** Absent for steps without a page, for which the first page is shown. */
  readonly get?: (parts: SignInParts, visit: SignInVisit) => PageResponse | Promise<PageResponse>;
  /** Called only if the form has a valid token. */
  readonly postForm: (parts: SignInParts, visit: SignInVisit, form: URLSearchParams) => Promise<PageResponse>;
  /** The handlers for a browser in which the sign-in with this id is not in progress. */
  readonly elsewhere?: {
    readonly get: (parts: SignInParts, visit: Visit, id: string) => Promise<PageResponse>;
    readonly postForm: (parts: SignInParts, visit: Visit, id: string, form: URLSearchParams) => Promise<PageResponse>;
  };
}
