/**
 * Decodes canonical base64 without padding (RFC 4648, sections 3.5 and 4).
 *
 * @returns No bytes for any other text. No scheme allows an empty salt or hash.
 */
export function decodeBase64(text = ""): Buffer {
  const bytes = Buffer.from(text, "base64");
  // Node's decoder ignores unused bits, and skips characters that are not base64; encoding again reveals both.
  return bytes.toString("base64").replaceAll("=", "") === text ? bytes : Buffer.alloc(0);
}
