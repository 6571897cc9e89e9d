import type { TitledText } from "./titled-text.ts";

/** The texts of the pages in `src/web/sign-in`. */
export interface SignInTexts {
  readonly titleFor: (app: string) => string;
  readonly userName: string;
  readonly identifiers: {
    /** The field accepts user names, email addresses and perhaps phone numbers. */
    readonly withEmail: SharedIdentifierTexts;
    /** The field accepts user names and phone numbers. */
    readonly withPhone: SharedIdentifierTexts;
    readonly nameOnly: IdentifierTexts;
  };
  readonly password: string;
  readonly remember: string;
  readonly submit: string;
  readonly cancel: string;
  readonly forgotten: string;
  readonly errors: {
    /** Takes the time of the next attempt, such as "in 5 minutes". */
    readonly tooOften: (delay: string) => string;
    /** The system that has to verify the password does not respond. */
    readonly unavailable: string;
    /** The form has no valid token, or took too long. */
    readonly stale: string;
    /** The application requires a different user, with this user name. */
    readonly otherUser: (userName: string) => string;
  };
  readonly ended: TitledText & {
    readonly startAgain: (app: string) => string;
    /** No application is known. */
    readonly noApp: string;
  };
  readonly newPassword: TitledText & { readonly submit: string };
  readonly address: {
    readonly title: string;
    readonly sent: (email: string) => string;
    /** Follows `sent`, or stands alone if no email can be sent. */
    readonly next: string;
    readonly notYet: string;
    readonly submit: string;
    readonly sendAgain: string;
    readonly cannotSend: (email: string) => string;
  };
  readonly reset: {
    readonly title: string;
    readonly submit: string;
    readonly back: string;
    readonly sent: { readonly title: string };
  };
  /** If the domain of the address chooses the organization. */
  readonly discovery: {
    readonly next: string;
    /** On the page of the organization, to enter another address. */
    readonly other: string;
  };
  readonly registration: RegistrationTexts;
  readonly oneTimeCode: OneTimeCodeTexts;
  readonly passkey: PasskeySignInTexts;
  readonly secondFactor: SecondFactorTexts;
  readonly passkeyOffer: PasskeyOfferTexts;
  readonly idp: IdpTexts;
}

/** The texts of the fields for a one-time code and a recovery code, and of the page of a sign-in that asks for one. */
/** The texts about the field that identifies the user. None of them depends on which users exist. */
export interface IdentifierTexts {
  readonly label: string;
  /** For every failure whose reason must not be revealed. Short enough for one line, so that it does not move the page. */
  readonly failed: string;
  /** The introduction of "Forgot your password?". */
  readonly resetText: string;
  /** After a link was requested. */
  readonly sentText: string;
}

interface SharedIdentifierTexts extends IdentifierTexts {
  /** After every failure, because an address or a number of several users finds none of them. As short as `failed`. */
  readonly shared: string;
}

/** The texts for people who register. None of them depends on which users exist before the address is verified. */
interface RegistrationTexts extends TitledText {
  /** On the first page. */
  readonly open: string;
  readonly email: string;
  readonly invalidEmail: string;
  readonly submit: string;
  readonly sent: { readonly title: string; readonly text: (email: string) => string };
  /** After the address is verified. */
  readonly finish: {
    readonly title: string;
    readonly text: (email: string) => string;
    readonly firstName: string;
    readonly lastName: string;
    /** Shown if the address cannot be the user name. */
    readonly userName: string;
    readonly password: string;
    readonly passkey: string;
    /** If a passkey is the only way to sign in. */
    readonly needsScript: string;
    readonly invalid: string;
    /** The user name is another address. */
    readonly foreignAddress: string;
    readonly taken: string;
    /** The passkey. */
    readonly refused: string;
  };
  /** In another browser than the one in which the registration was requested. */
  readonly ready: {
    readonly title: string;
    readonly text: (email: string) => string;
    readonly next: (app: string) => string;
  };
  readonly taken: { readonly title: string; readonly text: (email: string) => string };
  readonly over: TitledText & { readonly again: string };
}

interface OneTimeCodeTexts {
  readonly title: string;
  readonly text: string;
  readonly code: string;
  readonly submit: string;
  readonly recovery: {
    /** Opens the form. */
    readonly open: string;
    readonly code: string;
    readonly hint: string;
    /** For every reason: wrong, already used, or not this user's code. */
    readonly wrong: string;
  };
  /** For every reason: wrong, already used, or not this user's code. */
  readonly wrong: string;
}

interface PasskeySignInTexts {
  readonly submit: string;
  /** What the script of the page shows. */
  readonly outcomes: Readonly<Record<"waiting" | "canceled" | "otherHost" | "failed", string>>;
  /** For every reason that must not be revealed. */
  readonly refused: string;
}

/** The texts for a user whose sign-in requires a second factor. */
interface SecondFactorTexts extends TitledText {
  /** Replaces the text until the day from which it is required. */
  readonly until: (day: string) => string;
  readonly app: string;
  readonly passkey: string;
  readonly later: string;
  /** For a user with a passkey. */
  readonly confirm: TitledText & { readonly needsScript: string };
}

interface PasskeyOfferTexts extends TitledText {
  readonly add: string;
  /** Also means not to be asked again. */
  readonly later: string;
  /** Continues without a passkey. */
  readonly without: string;
}

/** The texts about signing in with an identity provider. `name` is the provider's name. */
interface IdpTexts {
  /** Between the ways to sign in. */
  readonly or: string;
  readonly button: (name: string) => string;
  /** Prescribed by Google's branding guidelines. */
  readonly google: string;
  /** The search for a provider by its name, and what is shown if there is none. */
  readonly search: { readonly label: string; readonly submit: string; readonly none: string };
  readonly errors: {
    /** The user declined at the provider. */
    readonly denied: (name: string) => string;
    /** The attempt is unknown, was used, or has expired. */
    readonly over: string;
    /** The provider was deactivated or removed. */
    readonly gone: string;
    /** The user may not sign in. */
    readonly blocked: string;
    /** The user had to authenticate at the provider again, and the provider has not confirmed it. */
    readonly notFresh: (name: string) => string;
    /** See `lacksOwnProof`. */
    readonly notEnough: string;
  };
  /** The page that takes the browser to a provider. */
  readonly continue: {
    readonly text: (name: string) => string;
    readonly submit: string;
  };
  readonly failed: {
    readonly title: (name: string) => string;
    readonly unreachable: (name: string) => string;
    /** The client id or client secret is wrong. */
    readonly refused: (name: string) => string;
    readonly invalid: (name: string) => string;
    /** Its response is larger than any that is read. */
    readonly tooLarge: (name: string) => string;
    readonly back: string;
  };
  /** For an external user who is not linked. */
  readonly unknown: {
    readonly title: string;
    readonly text: (name: string, org: string) => string;
    readonly link: string;
    readonly linkHint: string;
    readonly register: string;
    /** The provider allows neither linking nor registration. */
    readonly closed: string;
  };
  /** The sign-in began at the provider, and the person has not decided yet. */
  readonly unsolicited: {
    readonly title: (name: string) => string;
    readonly text: (name: string) => string;
    /** Of the account at the provider. */
    readonly id: string;
    /** Another user is signed in in the browser. */
    readonly replaces: string;
    readonly submit: string;
  };
  /** The external user was linked to the user with the same address. */
  readonly linked: {
    readonly title: string;
    readonly text: (name: string, email: string) => string;
    readonly submit: string;
  };
  readonly register: {
    readonly title: string;
    readonly text: (name: string) => string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly submit: string;
    readonly foreignAddress: string;
    readonly taken: string;
    readonly invalid: string;
  };
  /** Above the form of the sign-in page. */
  readonly linkNotice: (name: string) => string;
  readonly confirm: {
    readonly title: (name: string) => string;
    readonly text: (name: string) => string;
    readonly external: string;
    readonly submit: string;
    readonly skip: string;
    readonly failed: string;
  };
}
