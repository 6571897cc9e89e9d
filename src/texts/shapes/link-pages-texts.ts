import type { CodeState } from "../../codes/find-code.ts";
import type { TitledText } from "./titled-text.ts";

/** The texts of the pages in `src/web/links`, which messages link to. */
export interface LinkPagesTexts {
  readonly init: InitTexts;
  readonly newEmail: NewEmailTexts;
  readonly phone: PhoneTexts;
  readonly passkey: PasskeyTexts;
  readonly reset: ResetTexts;
  readonly next: NextTexts;
  readonly firstAdministrator: FirstAdministratorTexts;
}

/** The texts about the link itself, for the pages that messages link to. */
export interface LinkTexts {
  readonly used: TitledText;
  readonly expired: TitledText;
  readonly replaced: TitledText;
  /** The address or the number is the user name of another user, so it cannot be confirmed. */
  readonly taken: TitledText;
  /** The link was sent to an address or a number that the user no longer has. */
  readonly outdated: TitledText;
  /** The user has nothing left to do. */
  readonly finished: TitledText;
  /** Precedes the button `send`; takes the address, or a description of the number. */
  readonly sendOffer: (recipient: string) => string;
  readonly send: string;
  /** No message can be sent from here. */
  readonly contactAdministrator: string;
  readonly sent: {
    readonly title: string;
    readonly text: (recipient: string) => string;
    /** Takes the time of the next possible message, such as "in 1 minute". */
    readonly again: (delay: string) => string;
  };
  /** Takes the time of the next possible message, such as "in 5 minutes". */
  readonly tooOften: { readonly title: string; readonly text: (delay: string) => string };
}

/** The link to the address that replaces the current one. */
interface NewEmailTexts {
  readonly text: string;
  /** The label of a checkbox. The user name is the address that is replaced. */
  readonly changesName: string;
  readonly title: string;
  /** Takes the address. */
  readonly changed: (address: string) => string;
  readonly nameChanged: string;
  /** Another user has the address as the user name, or signs in with it. */
  readonly nameTaken: string;
  readonly used: TitledText;
  readonly over: TitledText;
  readonly toAccount: string;
}

export interface InitTexts extends LinkTexts {
  /** The address is not verified, and no password is stored. */
  readonly setUp: TitledText;
  /** The address is verified, and no password is stored. */
  readonly setPassword: TitledText;
  /** The address is not verified, and a password is stored. */
  readonly confirm: TitledText;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly passwordOptional: string;
  readonly repeat: string;
  readonly finish: string;
  readonly confirmButton: string;
  readonly done: {
    readonly title: string;
    readonly confirmedAndPasswordSet: string;
    readonly confirmed: string;
    /** The address was verified before. */
    readonly passwordSet: string;
    /** The address was verified before, and the user chose not to set a password. */
    readonly nothingSet: string;
  };
  /** Another user is signed in in this browser. */
  readonly otherUser: { readonly text: string; readonly open: string };
}

interface PhoneTexts extends LinkTexts {
  readonly confirm: TitledText;
  readonly name: string;
  readonly number: string;
  /** A number of which only the last two digits are shown, as part of a sentence. In Spanish, it includes the preposition. */
  readonly endingIn: (digits: string) => string;
  readonly digits: string;
  readonly digitsRule: string;
  readonly errors: {
    readonly malformed: string;
    /** Takes the number of attempts left, at least one. */
    readonly wrong: (left: number) => string;
  };
  readonly confirmButton: string;
  /** The code accepts no more attempts. */
  readonly ended: TitledText;
  /** The user has no attempts left for now. Takes the time of the next attempt, such as "in 5 hours". */
  readonly tooMany: { readonly title: string; readonly text: (delay: string) => string };
  readonly done: TitledText;
}

interface PasskeyTexts extends Readonly<Record<RegistrationProblem, string>> {
  readonly title: string;
  readonly intro: string;
  readonly account: string;
  readonly userName: string;
  readonly create: string;
  readonly hint: string;
  readonly needsScript: string;
  readonly outcomes: PasskeyOutcomes;
  readonly done: TitledText;
  readonly used: TitledText;
  readonly expired: TitledText;
  readonly replaced: TitledText;
}

/** Texts about events in the browser. The script reads them from the page. */
interface PasskeyOutcomes {
  readonly waiting: string;
  readonly canceled: string;
  /** The device already has a passkey of this user. */
  readonly exists: string;
  /** The browser does not support WebAuthn, or not on this page. */
  readonly browserUnsupported: string;
  /** The device cannot verify its user, or supports none of the algorithms. */
  readonly deviceUnsupported: string;
  /** The host of the page does not belong to the relying party. */
  readonly wrongHost: string;
  readonly unreachable: string;
  readonly failed: string;
}

/** Why a registration was rejected. */
export type RegistrationProblem = "not-begun" | "taken" | "refused";

/** The texts of the page that sets a new password. Its fields share the texts of the page that sets the first one. */
interface ResetTexts extends Readonly<Record<Exclude<CodeState, "valid" | "blocked">, TitledText>> {
  readonly choose: TitledText & { readonly button: string };
  readonly done: TitledText;
}

/** The page before a site that an organization has chosen, for browsers that have completed no step there. */
interface NextTexts {
  /** Takes the host of the site. */
  readonly title: (host: string) => string;
  readonly text: (host: string) => string;
  readonly button: string;
}

/** The page that makes the first administrator of the instance. */
interface FirstAdministratorTexts {
  /** Without the link. */
  readonly missing: TitledText;
  /** Precedes the command `signet admin link`. */
  readonly newLink: string;
  /** For people who have a role in an organization. */
  readonly signIn: string;
  readonly create: TitledText & { readonly button: string };
  /** Another user has the address. */
  readonly taken: string;
  /** The link has expired, was used, or is incomplete; or there is an administrator. */
  readonly over: TitledText;
}
