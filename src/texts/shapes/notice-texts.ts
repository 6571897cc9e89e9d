/** The texts of the emails that report a change of how a user signs in, or a sign-in from a new device. */
export interface NoticeTexts {
  readonly kinds: Readonly<Record<Notice, NoticeText>>;
  /** Follows `occasion` if someone other than the user made the change. */
  readonly byOther: string;
  /** Takes a date and time in UTC. */
  readonly time: (time: string) => string;
  /** Takes the name of a browser, an operating system, or both: `Firefox, Windows`. */
  readonly browser: (names: string) => string;
  /** What to do if the change is not the user's. Precedes the link to the account page. */
  readonly advice: string;
  /** The same for a changed address, which now gets the links to reset the password. No link follows. */
  readonly adviceWithoutLink: string;
  /** The button of the link to the account page. */
  readonly button: string;
}

/** What the email reports. */
export type Notice =
  | "password-changed"
  /** Goes to the previous address. */
  | "email-changed"
  | "phone-changed"
  | "phone-removed"
  | "one-time-codes-added"
  | "one-time-codes-removed"
  | "recovery-codes-replaced"
  | "recovery-code-used"
  | "passkey-added"
  | "passkey-removed"
  | "provider-linked"
  | "provider-unlinked"
  | "new-device";

interface NoticeText {
  readonly subject: string;
  /** Takes the host of the service. */
  readonly occasion: (host: string) => string;
}
