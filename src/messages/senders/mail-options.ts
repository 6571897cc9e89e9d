import { LOGO_CONTENT_ID } from "../templates/email-brand.ts";
import type { Mail } from "./sender.ts";

/** The sender address if EMAIL_FROM is not set. */
export const DEFAULT_FROM = "Signet <no-reply@localhost>";

/**
 * Converts an email to nodemailer's options. `Message-ID` is the same in each attempt, so that mail systems can
 * deduplicate; `Auto-Submitted` (RFC 3834) prevents automatic replies.
 *
 * @param from The value of EMAIL_FROM.
 */
export function toMailOptions({ id, to, subject, text, html, language, logo }: Mail, from: string) {
  return {
    from,
    // An object, because nodemailer would parse a string.
    to: { name: "", address: to },
    subject,
    text,
    html,
    ...(logo && {
      attachments: [
        {
          filename: "logo.png",
          content: logo,
          contentType: "image/png",
          contentDisposition: "inline" as const,
          cid: LOGO_CONTENT_ID,
        },
      ],
    }),
    messageId: `<${id}@${domainOf(from)}>`,
    headers: { "Auto-Submitted": "auto-generated", "Content-Language": language },
  };
}

/** Returns the domain of an address such as `Signet <no-reply@example.com>`. */
function domainOf(from: string): string {
  return /@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
}
