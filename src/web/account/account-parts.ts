import type { Account } from "../../sign-in/read-account.ts";
import type { Visit } from "../frame/page.ts";
import type { SignInParts } from "../sign-in/sign-in-parts.ts";
import type { Session, Sessions } from "./sessions.ts";

/** The parts of the account page. */
export interface AccountParts extends SignInParts {
  readonly sessions: Sessions;
}

/** A visit of a signed-in user. */
export interface AccountVisit extends Visit {
  readonly session: Session;
  readonly account: Account;
}
