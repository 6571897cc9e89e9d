import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError } from "../config.ts";
import { hasErrorCode, readIfExists, syncFolder, writeDurably } from "../files.ts";

/**
 * Loads the master key from `<dataDir>/master.key` (32 bytes in base64, mode 0600). Creates the file if it does not
 * exist.
 *
 * The file is created atomically. Of several processes, the first one creates the key, and the others use it.
 *
 * @throws ConfigError if the file is malformed.
 */
export function loadMasterKey(dataDir: string): Buffer {
  const file = join(dataDir, "master.key");
  const text = readIfExists(file) ?? createFile(file);
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new ConfigError(`${file} is invalid: expected 32 bytes in base64`);
  return key;
}

function createFile(file: string): string {
  // A UUID, because containers that share the folder may have equal process ids.
  const temporary = `${file}.${randomUUID()}`;
  writeDurably(temporary, `${randomBytes(32).toString("base64")}\n`);
  try {
    // Unlike rename, link never replaces a key that another process has created in the meantime.
    linkSync(temporary, file);
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(temporary);
  }
  syncFolder(dirname(file));
  return readFileSync(file, "utf8");
}
