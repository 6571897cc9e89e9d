import { readFileSync } from "node:fs";
import { ConfigError } from "./config-error.ts";

/**
 * @param variable The variable that contains the path.
 * @throws ConfigError if the file cannot be read.
 */
export function readPem(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${variable} is invalid: cannot read "${file}" (${reason})`);
  }
}
