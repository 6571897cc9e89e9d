import type { Language } from "../languages.ts";

/** The sentences of an email, whose two forms differ in layout only. */
export interface Email {
  readonly language: Language;
  readonly subject: string;
  readonly greeting: string;
  readonly occasion: string;
  /** What the user is asked to do. */
  readonly request: string;
  readonly button: string;
  readonly openLink: string;
  readonly copyLink: string;
  readonly link: string;
  readonly validity: string;
  /** Empty where the address is better not shown. */
  readonly sentTo: string;
  readonly unexpected: string;
}
