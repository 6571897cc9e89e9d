import type { OfferedIdp } from "../../idps/find-sign-in-idp.ts";
import type { EraseFiles } from "../../messages/senders/message-file.ts";
import type { Account } from "../../sign-in/read-account.ts";
import type { AccountNotice } from "../../texts/en/account.ts";
import type { Visit } from "../frame/page.ts";
import type { Session, SessionList } from "../frame/sessions.ts";
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

/** What the account page shows besides the account. */
export interface AccountPage {
  /** The form token of the session. */
  readonly token: string;
  readonly hasOneTimeCode: boolean;
  readonly list: SessionList;
  /** The providers that the user may link. */
  readonly idps: readonly OfferedIdp[];
  /** Whether users may delete their own account. */
  readonly allowsRemoval: boolean;
  readonly notice?: AccountNotice | undefined;
  readonly problem?: string | undefined;
  /** The header `set-cookie`. */
  readonly cookies: readonly string[];
}
