/** The session of a browser in which a user is signed in. */
export interface Session {
  /** Identifies the session, but cannot be used to take it over. */
  readonly id: string;
  readonly userId: string;
  /** When the user last authenticated, here or at another provider; null if the provider has not reported it. */
  readonly authenticatedAt: Date | null;
  /** Whether a provider of an organization has confirmed the user. */
  readonly isOfOrgIdp: boolean;
  /** The provider that has confirmed the user in this session; null if there is none. */
  readonly idpId: string | null;
}

/** A session in the list of a user's sessions. */
interface ListedSession {
  readonly id: string;
  /** When the user last signed in here. */
  readonly signedInAt: Date;
  /** When the session was last used to sign in to an application. */
  readonly lastSeenAt: Date;
  /** The header `user-agent` of the last sign-in; null for a session of an earlier version. */
  readonly userAgent: string | null;
  /** The names of the applications that the user has signed in to in this session. */
  readonly appNames: readonly string[];
}

/** An application that has a grant or a token of a user. */
interface AppAccess {
  readonly id: string;
  readonly name: string;
  /** The first sign-in among those whose grants still exist. */
  readonly since: Date;
}

/** Where a user is signed in. */
export interface SessionList {
  /** Most recently used first, at most `MOST_SESSIONS`. */
  readonly sessions: readonly ListedSession[];
  /** The number of all sessions. */
  readonly total: number;
  /** By name. */
  readonly apps: readonly AppAccess[];
}

/** More than a user can tell apart. */
export const MOST_SESSIONS = 50;

/** The sessions of users. The OpenID provider implements this interface, and the account page uses it. */
export interface Sessions {
  /**
   * Finds the session of a browser.
   *
   * @param cookies The header `cookie`.
   * @returns Undefined if no user is signed in. The user may have been deactivated a moment ago.
   */
  find(cookies: string | undefined): Promise<Session | undefined>;
  /**
   * Lists the active sessions of a user, and the applications with access.
   *
   * @param ownId A session to list first.
   */
  list(userId: string, ownId?: string): Promise<SessionList>;
  /** Ends sessions of a user, and the tokens issued in them. Ids of other users' sessions are ignored. */
  end(userId: string, sessionIds: readonly string[]): Promise<void>;
  /**
   * The URL of a sign-in without an application, which redirects to `/ui/account`.
   *
   * @param options `orgId`: the organization whose users may sign in, by default `default`. `reauthenticate`: also asks
   *   users who are signed in. `allowsOther`: so that another user can sign in instead.
   */
  signInUrl(options: {
    readonly orgId?: string;
    readonly reauthenticate?: boolean;
    readonly allowsOther?: boolean;
  }): string;
}
