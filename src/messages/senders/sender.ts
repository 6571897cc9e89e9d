/** An email as the templates make it, and the envelope. */
export interface Mail {
  /** Id of the message, the same in each attempt. */
  readonly id: string;
  readonly queuedAt: Date;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  /** The page that it leads to. */
  readonly link: string;
}

export interface Sms {
  /** Id of the message, the same in each attempt. */
  readonly id: string;
  readonly queuedAt: Date;
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

/**
 * How an attempt ended. `refused` is for good: the server does not take a message for this recipient. `failed` may go
 * better next time. The errors are one line for people and hold no secret: no link, code or credential, and nothing that a
 * server answered in words, because it may quote the message.
 */
export type SendOutcome =
  | { readonly kind: "sent" }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "failed"; readonly error: string };

/** Hands messages of one channel over to a server or to files. */
export interface Sender<Message> {
  /** Never rejects. After `SEND_LIMIT_MS` at most it gives up. */
  send(message: Message): Promise<SendOutcome>;
  /** Closes the connections that it keeps, those that are sending too. */
  close(): void;
}

/** What this process can send. */
export interface Senders {
  readonly email?: Sender<Mail>;
  readonly sms?: Sender<Sms>;
}

/** How long one attempt may take, all in all. */
export const SEND_LIMIT_MS = 60_000;
