const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 without padding (RFC 4648, section 6). */
export function encodeBase32(bytes: Uint8Array): string {
  let [text, value, bits] = ["", 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((value >>> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET.charAt((value << (5 - bits)) & 31);
}

/** Ignores case, white space, dashes and padding. Returns undefined for text that is not base32. */
export function decodeBase32(text: string): Buffer | undefined {
  const digits = trimPadding(text.toUpperCase().replaceAll(/[\s-]/g, ""));
  // A remainder of one, three or six characters does not end on a byte boundary.
  if (!/^[A-Z2-7]*$/.test(digits) || [1, 3, 6].includes(digits.length % 8)) return undefined;
  const bytes: number[] = [];
  let [value, bits] = [0, 0];
  for (const digit of digits) {
    value = (value << 5) | ALPHABET.indexOf(digit);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >>> bits) & 255);
      value &= (1 << bits) - 1;
    }
  }
  return Buffer.from(bytes);
}

/** Without a regular expression, because `/=+$/` takes time quadratic in the `=` within the text. */
function trimPadding(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "=") end -= 1;
  return text.slice(0, end);
}
