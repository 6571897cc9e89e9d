import { chmod, open, rename, rm } from "node:fs/promises";
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
  // Some file systems do not allow colons in names.
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
    const advice = hasErrorCode(error, "EACCES") ? " (check the permissions of the folder)" : "";
    return { kind: "failed", error: `cannot write the file: ${code ?? "unknown error"}${advice}` };
  }
}
