import { chmod, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasErrorCode, makeFolder } from "../../files.ts";
import type { SendOutcome } from "./sender.ts";

/**
 * Writes a message to `<folder>/<time it was queued>-<id>.<extension>`, mode 0600, in a folder of mode 0700. A message that
 * is written again replaces its own file, and no reader sees half of one.
 */
export async function writeMessageFile(
  folder: string,
  { id, queuedAt }: { readonly id: string; readonly queuedAt: Date },
  extension: string,
  content: Buffer | string,
): Promise<SendOutcome> {
  // No colon: not every file system takes one.
  const name = `${queuedAt.toISOString().replaceAll(":", "-")}-${id}`;
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
    const advice = hasErrorCode(error, "EACCES") ? " (may this user write there?)" : "";
    return { kind: "failed", error: `the file cannot be written: ${code ?? "unknown error"}${advice}` };
  }
}
