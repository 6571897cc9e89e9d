/** What the sign-in to the account page has in place of an application's id. */
export const ACCOUNT_APP_ID = "account";

/** A browser in which a user is signed in. */
export interface Session {
  /** Identifies the session, and cannot be used to take it over. */
  readonly id: string;
  readonly userId: string;
  /** When the user last proved who they are. */
  readonly signedInAt: Date;
  /** The names of the applications that the user has signed in to with it. */
  readonly appNames: readonly string[];
}

/** The sessions of people. The OpenID provider implements it; the account page uses it. */
export interface Sessions {
  /**
   * Finds the session of a browser.
   *
   * @param cookies The header `cookie`.
   * @returns undefined if nobody is signed in, or the user may not sign in anymore.
   */
  find(cookies: string | undefined): Promise<Session | undefined>;
  /** The live sessions of a user, the most recent sign-in first. */
  list(userId: string): Promise<readonly Session[]>;
  /** Ends sessions of a user, and the tokens that applications got with them. Ids of other users' sessions are ignored. */
  end(userId: string, sessionIds: readonly string[]): Promise<void>;
  /** Ends all sessions of a user, and the sign-ins in progress in which the user has proved who they are. */
  endAll(userId: string): Promise<void>;
  /**
   * The URL at which a person signs in without an application, and then continues to `/ui/account`.
   *
   * @param options `orgId`: the organization whose users may sign in, by default `default`. `reauthenticate`: also asks a
   *   person who is signed in.
   */
  signInUrl(options: { readonly orgId?: string; readonly reauthenticate?: boolean }): string;
}
