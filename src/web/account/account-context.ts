import type { Account } from "../../sign-in/read-account.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import type { Session, Sessions } from "./sessions.ts";

/** The dependencies of the account page. */
export interface AccountContext extends SignInContext {
  readonly sessions: Sessions;
}

/** A visit of a signed-in user. */
export interface SignedInVisit {
  readonly visit: Visit;
  readonly session: Session;
  readonly account: Account;
}

/** Finds the session of a visit; without one, redirects to a sign-in. */
export type WithSession = (visit: Visit, act: (found: SignedInVisit) => Promise<PageResponse>) => Promise<PageResponse>;
