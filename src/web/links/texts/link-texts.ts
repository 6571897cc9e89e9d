/** A heading, and what stands below it. */
export interface Note {
  readonly title: string;
  readonly text: string;
}

/** What both pages say whose link a message brings, about the link itself. */
export interface LinkTexts {
  readonly used: Note;
  readonly expired: Note;
  readonly replaced: Note;
  /** The link went to an address or a number that is not the user's any more. */
  readonly outdated: Note;
  /** The link is of no use, and need not be. */
  readonly finished: Note;
  /** Stands over the button, with the address or what is shown of the number. */
  readonly canSend: (to: string) => string;
  readonly send: string;
  /** Nothing can be sent from here. */
  readonly askOthers: string;
  readonly sent: { readonly title: string; readonly text: (to: string) => string };
  /** With when the next may be sent, such as "in 5 minutes". */
  readonly tooOften: { readonly title: string; readonly text: (when: string) => string };
}
