/**
 * Decodes canonical base64 (RFC 4648, sections 3.5 and 4), with full padding or none.
 *
 * @returns An empty buffer for any other text, because no scheme allows an empty salt or hash.
 */
export function decodeBase64(text = ""): Buffer {
  const bytes = Buffer.from(text, "base64");
  // Node's decoder ignores unused bits and skips characters that are not base64. Re-encoding detects both.
  const encoded = bytes.toString("base64");
  return encoded === text || encoded.replaceAll("=", "") === text ? bytes : Buffer.alloc(0);
}
