import { closeSync, openSync, readSync } from "node:fs";
import { getSystemErrorMessage } from "node:util";
import { ConfigError } from "./config-error.ts";

const MAX_BYTES = 65_536;

/**
 * Reads the value of a secret variable from a file, without one trailing newline. Errors do not contain the path,
 * because the secret itself may have been given instead.
 *
 * @param name The variable that contains the path, such as `MASTER_KEY_FILE`.
 * @throws ConfigError if the file cannot be read, is empty, has more than 64 KiB, or is not UTF-8.
 */
export function readSecretFile(name: string, path: string): string {
  const bytes = readStart(name, path);
  if (bytes.length > MAX_BYTES) {
    throw new ConfigError(`${name} is invalid: expected a file of at most ${MAX_BYTES} bytes, got a larger one`);
  }
  const text = decode(name, bytes).replace(/\r?\n$/, "");
  if (text.trim() === "") throw new ConfigError(`${name} is invalid: the file is empty`);
  return text;
}

/** Reads the file up to one byte over the limit. Pipes and devices have no size to check in advance. */
function readStart(name: string, path: string): Buffer {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  try {
    const descriptor = openSync(path, "r");
    try {
      for (let read = -1; read !== 0 && length < buffer.length; length += read) {
        read = readSync(descriptor, buffer, length, buffer.length - length, null);
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new ConfigError(`${name} is invalid: cannot read the file (${describe(error as NodeJS.ErrnoException)})`);
  }
  return buffer.subarray(0, length);
}

function decode(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError(`${name} is invalid: expected a text file in UTF-8`);
  }
}

/** The message of a file system error contains the path. */
function describe({ code, errno }: NodeJS.ErrnoException): string {
  return errno === undefined ? `${code}` : `${code}: ${getSystemErrorMessage(errno)}`;
}
