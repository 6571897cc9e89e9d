import type { EraseFiles } from "../../messages/senders/message-file.ts";
import type { Account } from "../../sign-in/read-account.ts";
import type { Visit } from "../frame/page.ts";
import type { Session } from "../frame/sessions.ts";
import type { SignInParts } from "../sign-in/sign-in-parts.ts";

/** The parts of the account page. */
export interface AccountParts extends SignInParts {
  readonly eraseFiles: EraseFiles;
}

/** A visit of a signed-in user. */
export interface AccountVisit extends Visit {
  readonly session: Session;
  readonly account: Account;
}
