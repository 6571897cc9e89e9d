import { createTransport } from "nodemailer";
import { toMailOptions } from "./mail-options.ts";
import { writeMessageFile } from "./message-file.ts";
import type { Mail, Sender } from "./sender.ts";

/**
 * Writes each email to a file that mail clients open (`.eml`, RFC 5322). A header of its own has the link in one piece: in
 * the text it is cut into lines (RFC 2045, section 6.7).
 */
export function createMailFileSender({ folder, from }: { folder: string; from: string }): Sender<Mail> {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      const options = toMailOptions(mail, from);
      // Prepared: on the line of its name, where nodemailer would begin another.
      const headers = { ...options.headers, "X-Link": { prepared: true, value: mail.link } };
      const { message } = await transport.sendMail({ ...options, headers });
      if (!Buffer.isBuffer(message)) throw new Error("a buffer was asked for");
      return await writeMessageFile(folder, mail, "eml", message);
    },
    close() {},
  };
}
