import type { NoticeRow } from "../../messages/notices.ts";
import type { LoginPolicy } from "../../policies/login-policy.ts";
import type { PasswordCheck } from "../../sign-in/password/record-password-events.ts";
import type { Proved } from "../../sign-in/proof.ts";
import type { Freshness } from "../../sign-in/provider/freshness.ts";
import type { SignInOrigin } from "../../sign-in/sign-in-origin.ts";
import type { Language } from "../../texts/languages.ts";

/** A sign-in that an application has requested, and that waits for its user. The term is that of oidc-provider. */
export interface Interaction {
  /** Random. It is in the path of the pages, and in a cookie of the browser that started the sign-in. */
  readonly id: string;
  readonly app: { readonly id: string; readonly name: string };
  /** The organization whose users may sign in. */
  readonly org: SignInOrg;
  /** How the users of the organization can sign in. */
  readonly policy: LoginPolicy;
  /** The user name that the application suggests (`login_hint`). */
  readonly loginHint: string | undefined;
  /** The id or name of the provider that the application suggests (`idp_hint`). */
  readonly idpHint: string | undefined;
  /** The first supported language of `ui_locales`. */
  readonly language: Language | undefined;
  /** The user who must authenticate again (`prompt=login`, `max_age`, `id_token_hint`). */
  readonly expectedUserId: string | undefined;
  /** How recently the user must have authenticated. */
  readonly freshness: Freshness;
  /** Whether the application requires two factors. */
  readonly requiresTwoFactors: boolean;
  /** The sign-in of the session, to which only a second factor has to be added. */
  readonly weakSignIn: Proved | undefined;
  /** The user who last authenticated in it. */
  readonly provedUserId: string | undefined;
  /** The session of the browser, if a user is signed in. */
  readonly session: { readonly id: string; readonly userId: string } | undefined;
  /** The URL at which the browser continues. */
  readonly returnTo: string;
  /** The page that `keepPage` has stored last. */
  readonly keptPage: string | undefined;
  /** Absent unless the domain of the person's address chooses the organization. */
  readonly discovery?: Discovery | undefined;
}

/** How the organization is chosen: see `allowDomainDiscovery`. */
export interface Discovery {
  /** What the person has entered; undefined if the person has to enter it before anything else. */
  readonly identifier: string | undefined;
}

interface ChosenIdentifier {
  readonly identifier: string;
  /** The result of `toDomain`; empty if there is none. */
  readonly domain: string;
}

export interface SignInOrg {
  readonly id: string;
  /** The name for the pages; undefined if it tells users nothing: of the only organization, and `default`. */
  readonly shownName: string | undefined;
}

/** How a user has authenticated. */
interface SignedIn extends Pick<Proved, "methods" | "remember" | "idp" | "session"> {
  readonly userId: string;
  /** The user's sequence when the proof was verified. */
  readonly sequence: bigint;
  /** The password's hash when the proof was verified; null if the user has none. */
  readonly passwordHash: string | null;
  /** The correct password to record, if it is not recorded yet. */
  readonly check?: PasswordCheck | undefined;
  /** Whether the user has completed the requested initialization. Otherwise, the sign-in completes it. */
  readonly initialized: boolean;
  /** Where the request comes from, for the event. */
  readonly origin?: SignInOrigin;
  /** What reports the sign-in to the user, if it is on a device from which the user has not signed in before. */
  readonly notices?: readonly NoticeRow[];
}

/** The interactions in progress. The OpenID provider implements this interface, and the pages use it. */
export interface Interactions {
  /**
   * Finds a sign-in by the id in the page's path.
   *
   * @param cookies The header `cookie`. A request from a different browser is not found.
   */
  find(id: string, cookies: string | undefined): Promise<Interaction | undefined>;
  /**
   * Records that a user has authenticated. From then on, the sign-in ends with the user's sessions. Records nothing if
   * they have ended since the proof.
   */
  prove(interaction: Interaction, user: Pick<SignedIn, "userId" | "sequence">): Promise<void>;
  /**
   * Stores a page, encrypted, which replaces any other. It ends with the sign-in, so that the table holds no page
   * without one.
   */
  keepPage(interaction: Interaction, page: string): Promise<void>;
  /**
   * Chooses the organization of a sign-in with `discovery`: that of a verified domain whose policy allows it, or else the
   * default one. Whoever has authenticated in the sign-in has to do so again.
   *
   * @param choice What the person has entered, and the domain in it; undefined to ask for it again.
   */
  chooseOrg(interaction: Interaction, choice: ChosenIdentifier | undefined): Promise<void>;
  /**
   * Completes a sign-in. Resolves to the URL at which the browser continues.
   *
   * @throws SignetError USER_NOT_FOUND if the user may not sign in, the user's sessions have ended since the proof, for
   *   example because of a new password, or the sign-in has expired.
   */
  finish(interaction: Interaction, signedIn: SignedIn): Promise<string>;
  /**
   * Cancels the sign-in: the application gets the error `access_denied`. Resolves to the URL at which the browser
   * continues.
   */
  decline(interaction: Interaction): Promise<string>;
}
