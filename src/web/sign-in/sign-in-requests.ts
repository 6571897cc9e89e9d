import type { Language } from "../../messages/languages.ts";

/** A sign-in requested by an application. */
export interface SignInRequest {
  /** Random. It is in the path of the pages, and in a cookie of the browser that started the sign-in. */
  readonly id: string;
  readonly app: { readonly id: string; readonly name: string };
  /** The organization whose users may sign in. */
  readonly org: { readonly id: string; readonly name: string };
  /** The user name that the application suggests (`login_hint`). */
  readonly loginHint: string | undefined;
  /** The first supported language of `ui_locales`. */
  readonly language: Language | undefined;
  /** The user who must authenticate again (`prompt=login`, `max_age`, `id_token_hint`). */
  readonly expectedUserId: string | undefined;
  /** The user who last authenticated in it. */
  readonly provedUserId: string | undefined;
  /** The session of the browser, if a user is signed in. */
  readonly session: { readonly id: string; readonly userId: string } | undefined;
  /** The URL at which the browser continues. */
  readonly returnTo: string;
}

/** How a user has authenticated. */
export interface SignedIn {
  readonly userId: string;
  /** The user's sequence when the proof was verified. */
  readonly sequence: bigint;
  /** The password's hash when the proof was verified; null if the user has none. */
  readonly passwordHash: string | null;
  /** Authentication methods (RFC 8176), such as `pwd`. */
  readonly methods: readonly string[];
  /** Whether the browser keeps the session when it closes. */
  readonly remember: boolean;
  /** The identity provider that has confirmed the user, if any. */
  readonly idpId?: string | undefined;
}

/** The sign-ins in progress. The OpenID provider implements this interface, and the pages use it. */
export interface SignInRequests {
  /**
   * Finds a sign-in by the id in the page's path.
   *
   * @param cookies The header `cookie`. A request from a different browser is not found.
   */
  find(id: string, cookies: string | undefined): Promise<SignInRequest | undefined>;
  /**
   * Records that a user has authenticated. From then on, the sign-in ends with the user's sessions. Records nothing if
   * they have ended since the proof.
   */
  prove(request: SignInRequest, user: Pick<SignedIn, "userId" | "sequence">): Promise<void>;
  /**
   * Completes a sign-in. Resolves to the URL at which the browser continues.
   *
   * @throws SignetError USER_NOT_FOUND if the user may not sign in, the user's sessions have ended since the proof, for
   *   example because of a new password, or the sign-in has expired.
   */
  finish(request: SignInRequest, signedIn: SignedIn): Promise<string>;
  /**
   * Cancels the sign-in: the application gets the error `access_denied`. Resolves to the URL at which the browser
   * continues.
   */
  decline(request: SignInRequest): Promise<string>;
}
