import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError } from "../config.ts";
import { hasErrorCode, readIfExists, syncFolder, writeDurably } from "../files.ts";

/**
 * The master key that is kept in a folder, made there once: 32 bytes in base64, readable by its owner alone.
 *
 * The file appears whole or not at all, and whoever comes second takes the first one's.
 *
 * @throws ConfigError when the file holds something else.
 */
export function loadMasterKey(dataDir: string): Buffer {
  const file = join(dataDir, "master.key");
  const text = readIfExists(file) ?? createFile(file);
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new ConfigError(`${file} holds something else: it must be 32 bytes in base64`);
  return key;
}

function createFile(file: string): string {
  // Not the process id: in containers that share the folder it is the same.
  const temporary = `${file}.${randomUUID()}`;
  writeDurably(temporary, `${randomBytes(32).toString("base64")}\n`);
  try {
    // Unlike a rename, a link never replaces a key that another process made meanwhile.
    linkSync(temporary, file);
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(temporary);
  }
  syncFolder(dirname(file));
  return readFileSync(file, "utf8");
}
