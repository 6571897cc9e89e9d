const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8; undefined if the bytes are not valid. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

export const NOT_UTF8 =
  "is not valid UTF-8; a file in Windows-1252, as older spreadsheets write it, must be converted first";

/** Removes the byte order mark of UTF-8 from the first bytes of a file. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes;
}
