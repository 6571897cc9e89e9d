/** A heading, and the text below it. */
export interface TitledText {
  readonly title: string;
  readonly text: string;
}

/** The texts about the link itself, for the pages that messages link to. */
export interface LinkTexts {
  readonly used: TitledText;
  readonly expired: TitledText;
  readonly replaced: TitledText;
  /** The link was sent to an address or a number that the user no longer has. */
  readonly outdated: TitledText;
  /** The user has nothing left to do. */
  readonly finished: TitledText;
  /** Precedes the button `send`; takes the address, or a description of the number. */
  readonly sendOffer: (recipient: string) => string;
  readonly send: string;
  /** No message can be sent from here. */
  readonly contactAdministrator: string;
  readonly sent: { readonly title: string; readonly text: (recipient: string) => string };
  /** Takes the time of the next possible message, such as "in 5 minutes". */
  readonly tooOften: { readonly title: string; readonly text: (delay: string) => string };
}
