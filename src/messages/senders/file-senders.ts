import { toMailOptions } from "./mail-options.ts";
import { writeMessageFile } from "./message-file.ts";
import type { Mail, Sender, Sms } from "./sender.ts";

/**
 * Writes each email to a file that mail clients can open (`.eml`, RFC 5322). The header `X-Link` contains the unbroken
 * link, because quoted-printable wraps it in the body (RFC 2045, section 6.7).
 */
export function createMailFileSender({ folder, from }: { folder: string; from: string }): Sender<Mail> {
  // Loaded with the first email, because nodemailer takes 2 % of the startup time.
  const open = async () =>
    (await import("nodemailer")).createTransport({
      streamTransport: true,
      buffer: true,
      newline: "windows",
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  let opened: ReturnType<typeof open> | undefined;
  return {
    async send(mail) {
      opened ??= open();
      const options = toMailOptions(mail, from);
      // `prepared` prevents nodemailer from folding the header.
      const link = mail.link === undefined ? {} : { "X-Link": { prepared: true, value: mail.link } };
      const headers = { ...options.headers, ...link };
      const { message } = await (await opened).sendMail({ ...options, headers });
      if (!Buffer.isBuffer(message)) throw new Error("expected nodemailer to return a buffer");
      return await writeMessageFile(folder, mail, "eml", message);
    },
    close() {},
  };
}

/** Writes each SMS to a text file that contains the number, an empty line and the text. */
export function createSmsFileSender({ folder }: { folder: string }): Sender<Sms> {
  return {
    send: (sms) => writeMessageFile(folder, sms, "txt", `To: ${sms.to}\n\n${sms.text}\n`),
    close() {},
  };
}
