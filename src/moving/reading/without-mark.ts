import { ConfigError } from "../../config.ts";

/**
 * Removes the byte order mark of UTF-8 from the first bytes of a file.
 *
 * @throws ConfigError for the marks of UTF-16.
 */
export function withoutMark(file: string, bytes: Buffer): Buffer {
  const mark = bytes.subarray(0, 3).toString("hex");
  if (/^(fffe|feff)/.test(mark)) throw new ConfigError(`${file}: is in UTF-16; convert it to UTF-8 first`);
  return mark === "efbbbf" ? bytes.subarray(3) : bytes;
}
