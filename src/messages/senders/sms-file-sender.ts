import { writeMessageFile } from "./message-file.ts";
import type { Sender, Sms } from "./sender.ts";

/** Writes each SMS to a text file that contains the number, an empty line and the text. */
export function createSmsFileSender({ folder }: { folder: string }): Sender<Sms> {
  return {
    send: (sms) => writeMessageFile(folder, sms, "txt", `To: ${sms.to}\n\n${sms.text}\n`),
    close() {},
  };
}
