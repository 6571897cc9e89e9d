import type { Mail } from "./sender.ts";

/** What the email is sent from where EMAIL_FROM is not set. */
export const DEFAULT_FROM = "Signet <no-reply@localhost>";

/**
 * An email in the form of nodemailer. `Message-ID` is the same in each attempt, so that a mail system which gets it twice can
 * drop one; `Auto-Submitted` (RFC 3834) keeps vacation notices from answering.
 *
 * @param from Value of EMAIL_FROM.
 */
export function toMailOptions({ id, to, subject, text, html, language }: Mail, from: string) {
  return {
    from,
    // As an object: an address in a text would be parsed.
    to: { name: "", address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${domainOf(from)}>`,
    headers: { "Auto-Submitted": "auto-generated", "Content-Language": language },
  };
}

/** The domain of an address such as `Signet <no-reply@example.com>`. */
function domainOf(from: string): string {
  return /@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
}
