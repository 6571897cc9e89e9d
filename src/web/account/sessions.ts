/** A browser in which a user is signed in. */
export interface Session {
  /** Identifies the session, but cannot be used to take it over. */
  readonly id: string;
  readonly userId: string;
  /** When the user last authenticated. */
  readonly signedInAt: Date;
  /** The names of the applications that the user has signed in to in this session. */
  readonly appNames: readonly string[];
}

/** The sessions of users. The OpenID provider implements this interface, and the account page uses it. */
export interface Sessions {
  /**
   * Finds the session of a browser.
   *
   * @param cookies The header `cookie`.
   * @returns Undefined if no user is signed in, or the user may no longer sign in.
   */
  find(cookies: string | undefined): Promise<Session | undefined>;
  /** The active sessions of a user, most recent sign-in first. */
  list(userId: string): Promise<readonly Session[]>;
  /** Ends sessions of a user, and the tokens issued in them. Ids of other users' sessions are ignored. */
  end(userId: string, sessionIds: readonly string[]): Promise<void>;
  /** Ends all sessions of a user, and the sign-ins in progress in which the user has authenticated. */
  endAll(userId: string): Promise<void>;
  /**
   * The URL of a sign-in without an application, which redirects to `/ui/account`.
   *
   * @param options `orgId`: the organization whose users may sign in, by default `default`. `reauthenticate`: also asks
   *   users who are signed in.
   */
  signInUrl(options: { readonly orgId?: string; readonly reauthenticate?: boolean }): string;
}
