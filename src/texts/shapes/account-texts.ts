import type { TitledText } from "./titled-text.ts";

/** The texts of `/ui/account` and of what its pages share. Those of its forms are in `AccountFormTexts`. */
export interface AccountTexts {
  readonly title: string;
  /** What an action has done, at the top of the page. */
  readonly notices: Readonly<Record<AccountNotice, string>>;
  /** The labels of links and buttons in rows. */
  readonly actions: Readonly<Record<"add" | "change" | "remove" | "rename" | "set" | "setUp" | "end" | "open", string>>;
  readonly back: string;
  readonly cancel: string;
  /** The form has no valid token, or its subject has changed. */
  readonly stale: string;
  readonly onlyWay: string;
  readonly profile: string;
  readonly name: string;
  readonly userName: string;
  readonly email: string;
  readonly phone: string;
  readonly language: string;
  readonly org: string;
  /** No phone number. */
  readonly none: string;
  readonly unverified: string;
  /** Takes the address that a link was sent to. */
  readonly nextEmail: (address: string) => string;
  readonly browserLanguage: string;
  readonly signIn: string;
  readonly password: { readonly title: string; readonly isSet: string; readonly isMissing: string };
  readonly passkeys: {
    readonly title: string;
    readonly none: string;
    /** A passkey without a name. Takes the day on which it was registered. */
    readonly since: (date: string) => string;
    readonly created: (date: string) => string;
    readonly used: (date: string) => string;
    readonly unused: string;
  };
  readonly oneTimeCodes: {
    readonly title: string;
    readonly none: string;
    /** Takes the number of remaining recovery codes. */
    readonly active: (left: number) => string;
    readonly newCodes: string;
  };
  readonly idps: {
    readonly title: string;
    readonly link: string;
    readonly unlinked: string;
    readonly inactive: string;
  };
  readonly sessions: {
    readonly title: string;
    /** Takes the names of a browser and of an operating system. */
    readonly browserOn: (browser: string, system: string) => string;
    readonly unknownBrowser: string;
    readonly here: string;
    readonly signedIn: (time: string) => string;
    readonly seen: (time: string) => string;
    readonly end: string;
    /** Takes the number of sessions that are not listed. */
    readonly more: (count: number) => string;
    readonly endOthers: string;
  };
  readonly apps: {
    readonly title: string;
    readonly none: string;
    readonly since: (date: string) => string;
    readonly withdraw: string;
  };
  readonly data: {
    readonly title: string;
    readonly download: string;
    readonly downloadHint: string;
    readonly remove: string;
    readonly removeHint: string;
  };
  readonly signOut: string;
  readonly signedOut: TitledText & { readonly signIn: string };
  readonly notSignedIn: string;
  readonly noCookies: TitledText;
}

/** What an action on the account page has done. */
export type AccountNotice =
  | "account-ready"
  | "name-changed"
  | "user-name-changed"
  | "language-changed"
  | "email-requested"
  | "email-unchanged"
  | "phone-changed"
  | "phone-requested"
  | "phone-removed"
  | "password-changed"
  | "password-set"
  | "passkey-added"
  | "passkey-renamed"
  | "passkey-removed"
  | "codes-added"
  | "codes-removed"
  | "recovery-codes-replaced"
  | "linked"
  | "unlinked"
  | "session-ended"
  | "sessions-ended"
  | "access-withdrawn";
