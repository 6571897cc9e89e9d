import { readFileSync } from "node:fs";
import { ConfigError } from "../config.ts";

/**
 * Reads a file that an option or an argument names.
 *
 * @throws ConfigError if the file cannot be read.
 */
export function readOptionFile(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new ConfigError(`${option}: ${file} cannot be read: ${String((cause as NodeJS.ErrnoException).code)}`);
  }
}
