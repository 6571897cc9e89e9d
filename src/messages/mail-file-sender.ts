import { createTransport } from "nodemailer";
import { toMailOptions } from "./mail-options.ts";
import { writeMessageFile } from "./message-file.ts";
import type { Mail, Sender } from "./sender.ts";

/** Writes each email to a file that mail clients open (`.eml`, RFC 5322). */
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
      const { message } = await transport.sendMail(toMailOptions(mail, from));
      if (!Buffer.isBuffer(message)) throw new Error("a buffer was asked for");
      return await writeMessageFile(folder, mail, "eml", message);
    },
    close() {},
  };
}
