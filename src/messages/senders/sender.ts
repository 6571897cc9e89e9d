import type { Span } from "../../telemetry/span.ts";

/** A rendered email and its envelope. */
export interface Mail {
  /** Id of the message, the same in each attempt. */
  readonly id: string;
  readonly queuedAt: Date;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  /** The PNG file that the HTML shows as `LOGO_URL`. */
  readonly logo?: Buffer | undefined;
  /** The link that the body contains; undefined if it has none. */
  readonly link: string | undefined;
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
 * The outcome of an attempt. `refused` is permanent: the server does not accept messages for this recipient. `failed`
 * may be retried. The errors are one line and contain no secret: no link, code or credential, and no text from the
 * server, because it may quote the message.
 */
export type SendOutcome =
  | { readonly kind: "sent" }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "failed"; readonly error: string };

/** Passes the messages of one channel to a server, or writes them to files. */
export interface Sender<Message> {
  /** Never rejects. Resolves within `SEND_LIMIT_MS`. */
  send(message: Message, span?: Span): Promise<SendOutcome>;
  /** Closes all connections, including those in use. */
  close(): void;
}

/** The configured senders. */
export interface Senders {
  readonly email?: Sender<Mail>;
  readonly sms?: Sender<Sms>;
}

/** Timeout of one attempt. */
export const SEND_LIMIT_MS = 60_000;
