import { writeMessageFile } from "./message-file.ts";
import type { Sender, Sms } from "./sender.ts";

/** Writes each SMS to a text file: a line with the number, an empty one, and the text. */
export function createSmsFileSender({ folder }: { folder: string }): Sender<Sms> {
  return {
    send: (sms) => writeMessageFile(folder, sms, "txt", `To: ${sms.to}\n\n${sms.text}\n`),
    close() {},
  };
}
