import type { NoticeTexts } from "./notice-texts.ts";

/**
 * The texts of the messages. SMS texts use only characters of the GSM 7-bit alphabet (3GPP TS 23.038): any other, such
 * as the Spanish ó, reduces the length of one SMS from 160 characters to 70.
 */
export interface MessageTexts {
  readonly email: {
    readonly greeting: string;
    readonly greetingByName: (name: string) => string;
    /** What happened, and where. */
    readonly occasion: (host: string) => string;
    /** The same, with the name of the organization. */
    readonly occasionIn: (org: string, host: string) => string;
    /** The same, for a new address. */
    readonly changed: (host: string) => string;
    /** The address is not verified. */
    readonly confirm: RequestTexts;
    /** The address is verified, so only a password is missing. */
    readonly setPassword: RequestTexts;
    /** A new address is not verified. */
    readonly confirmNew: RequestTexts;
    readonly userName: (userName: string) => string;
    /** Precedes the link in the text form, which has no button. */
    readonly openLink: string;
    /** Precedes the link in the HTML form, below the button. */
    readonly copyLink: string;
    readonly validity: (hours: number) => string;
    readonly sentTo: (address: string) => string;
    readonly unexpected: string;
  };
  /** The email with a link to set a new password. It also has the greeting and the text after the link from `email`. */
  readonly passwordReset: RequestTexts & {
    readonly occasion: (host: string) => string;
    readonly validity: string;
  };
  /** The emails to somebody who wants to register: the address is new, or has an account already. */
  readonly registration: Readonly<
    Record<"registration" | "registration-taken", RequestTexts & { readonly occasion: (host: string) => string }>
  >;
  /** Follows the occasion of these emails. */
  readonly registrationFor: (app: string) => string;
  /** The email with a code, which is between `occasion` and `advice`. */
  readonly signInCode: {
    readonly subject: string;
    readonly occasion: (host: string) => string;
    readonly advice: string;
  };
  readonly notices: NoticeTexts;
  readonly sms: (digits: string) => string;
  /** Precedes the link to set a new password. */
  readonly resetSms: string;
}

/** The parts of an email that depend on the requested action. */
export interface RequestTexts {
  readonly subject: string;
  readonly request: string;
  readonly button: string;
}
