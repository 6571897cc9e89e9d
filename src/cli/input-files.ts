import { createWriteStream, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { InputFile } from "../moving/reading/read-records.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Runs `use` with the files of an import. The standard input, `-`, is copied to a file first, because an import reads its files
 * several times. The copy has mode 0600 and is removed afterwards.
 *
 * @param folder Where the copy is made.
 */
export async function withInputFiles<T>(
  names: readonly string[],
  folder: string,
  use: (files: InputFile[]) => Promise<T>,
): Promise<T> {
  const copy = join(folder, `stdin-${process.pid}`);
  if (names.filter((name) => name === "-").length > 1) throw new UsageError("the standard input, -, is given twice");
  try {
    for (const name of names) {
      if (name === "-") await copyInput(folder, copy);
      else if (!existsSync(name)) throw new UsageError(`there is no file ${name}`);
    }
    return await use(names.map((name) => (name === "-" ? { name, path: copy } : { name, path: name })));
  } finally {
    rmSync(copy, { force: true });
  }
}

async function copyInput(folder: string, copy: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await pipeline(process.stdin, createWriteStream(copy, { mode: 0o600 }));
}
