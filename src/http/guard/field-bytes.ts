/** Set for bytes that must not occur in a field value. */
export const BAD_IN_VALUE = 0x200;
/** Set for bytes that must not occur in a field name, including the colon of a pseudo-header. */
export const BAD_IN_NAME = 0x400;

/** `BAD_IN_VALUE` and `BAD_IN_NAME` of each byte. */
export const BYTE_CLASSES = Uint16Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return (isValueByte(byte) ? 0 : BAD_IN_VALUE) | (/[a-z0-9!#$%&'*+.^_`|~-]/.test(char) ? 0 : BAD_IN_NAME);
});

/**
 * Whether HTTP/2 allows a field name: a token (RFC 9110, section 5.6.2) in lower case, after a colon for a
 * pseudo-header (RFC 9113, section 8.2.1). Node's HTTP/1.1 parser also rejects names that are not tokens.
 */
export function isFieldName(name: string): boolean {
  return /^:?[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name);
}

/**
 * No control characters except HTAB (RFC 9110, section 5.5). Bytes from 0x80 (obs-text) are allowed, as in nghttp2 and
 * Node's HTTP/1.1 parser.
 */
function isValueByte(byte: number): boolean {
  return byte === 0x09 || (byte >= 0x20 && byte !== 0x7f);
}
