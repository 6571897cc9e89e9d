import type { Language } from "../../texts/languages.ts";
import type { EmailBrand } from "./email-brand.ts";

/** The texts of an email. The text and HTML versions differ only in layout. */
export interface Email {
  readonly language: Language;
  readonly brand: EmailBrand;
  readonly subject: string;
  readonly greeting: string;
  readonly occasion: string;
  /** The requested action. Empty in a notice of what the user has done. */
  readonly request: string;
  /** The time and the origin of a reported change, one per line. */
  readonly details?: readonly string[];
  /** What to do if a reported change is not the user's. */
  readonly advice?: string;
  /** The user name, in a sentence. Absent if it must not be shown: see `toShownUserName`. */
  readonly userName?: string;
  /** Undefined in an email without a link. */
  readonly action: EmailAction | undefined;
  /** Empty if the address must not be shown: see `toShownAddress`. */
  readonly sentTo: string;
  /** Empty in a notice, which has an advice. */
  readonly unexpected: string;
}

/** The link of an email. */
export interface EmailAction {
  readonly button: string;
  readonly openLink: string;
  readonly copyLink: string;
  readonly link: string;
  /** Absent for a link that does not expire. */
  readonly validity?: string;
}
