import type { Language } from "../languages.ts";

/** The texts of an email. The text and HTML versions differ only in layout. */
export interface Email {
  readonly language: Language;
  readonly subject: string;
  readonly greeting: string;
  readonly occasion: string;
  /** The requested action. */
  readonly request: string;
  /** The user name, in a sentence. Absent if it must not be shown: see `toShownUserName`. */
  readonly userName?: string;
  /** Undefined in an email without a link. */
  readonly action: EmailAction | undefined;
  /** Empty if the address must not be shown: see `toShownAddress`. */
  readonly sentTo: string;
  readonly unexpected: string;
}

/** The link of an email. */
export interface EmailAction {
  readonly button: string;
  readonly openLink: string;
  readonly copyLink: string;
  readonly link: string;
  readonly validity: string;
}
