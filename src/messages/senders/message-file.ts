import { chmod, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasErrorCode, makeFolder } from "../../files.ts";
import type { SendOutcome } from "./sender.ts";

/**
 * Writes a message to `<folder>/<queue time>-<id>.<extension>` with mode 0600, in a folder with mode 0700. The file is
 * written atomically, and a retry replaces the file of an earlier attempt.
 */
export async function writeMessageFile(
  folder: string,
  { id, queuedAt }: { readonly id: string; readonly queuedAt: Date },
  extension: string,
  content: Buffer | string,
): Promise<SendOutcome> {
  const name = `${toFileTime(queuedAt)}-${id}`;
  const temporary = join(folder, `.${name}.part`);
  try {
    makeFolder(folder);
    await chmod(folder, 0o700);
    await rm(temporary, { force: true });
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, `${name}.${extension}`));
    return { kind: "sent" };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const advice = hasErrorCode(error, "EACCES") ? " (check the permissions of the folder)" : "";
    return { kind: "failed", error: `cannot write the file: ${code ?? "unknown error"}${advice}` };
  }
}

/** Some file systems do not allow colons in names. */
function toFileTime(time: Date): string {
  return time.toISOString().replaceAll(":", "-");
}

/** A message that may have been written to a file. */
export interface FiledMessage {
  readonly id: string;
  readonly channel: "email" | "sms";
  /** RFC 3339. */
  readonly queuedAt: string;
}

/** Removes the files of messages, on this machine. */
export type EraseFiles = (messages: readonly FiledMessage[]) => Promise<void>;

export function createEraseFiles(folders: { readonly email: string; readonly sms: string }): EraseFiles {
  return async (messages) => {
    for (const { id, channel, queuedAt } of messages) {
      const extension = channel === "email" ? "eml" : "txt";
      await rm(join(folders[channel], `${toFileTime(new Date(queuedAt))}-${id}.${extension}`), { force: true });
    }
  };
}

/** Removes the files of messages that were queued before a time. */
export async function removeOldFiles(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const time = /^(\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z)-[0-9a-f-]{36}\.(eml|txt)$/.exec(name)?.[1];
    if (time !== undefined && time < toFileTime(before)) await rm(join(folder, name), { force: true });
  }
}
