import { ConfigError } from "../../config/config-error.ts";

/**
 * Removes the byte order mark of UTF-8 from the first bytes of a file.
 *
 * @throws ConfigError for the marks of UTF-16.
 */
export function withoutMark(file: string, bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) throw new ConfigError(`${file}: is in UTF-16; convert it to UTF-8 first`);
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes;
}
