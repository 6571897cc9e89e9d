/** The alphabet of crypt(3). A hash ends with `[./0-9A-D]` or `[./01]` if its last character has unused bits. */
const ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Decodes a number with six bits per character, least significant first. */
export function decodeCryptNumber(text = ""): number {
  return [...text].reduceRight((sum, character) => sum * 64 + ALPHABET.indexOf(character), 0);
}

/** Decodes bytes: every four characters encode three bytes, least significant first. */
export function decodeCryptBytes(text = ""): Buffer {
  const groups = text.match(/.{1,4}/g) ?? [];
  return Buffer.concat(
    groups.map((group) => {
      const bytes = Buffer.alloc(3);
      bytes.writeUIntLE(decodeCryptNumber(group), 0, 3);
      return bytes.subarray(0, Math.floor((group.length * 3) / 4));
    }),
  );
}

/** The inverse of `decodeCryptBytes`. */
export function encodeCryptBytes(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3);
    let number = group.reduceRight((sum, byte) => sum * 256 + byte, 0);
    for (let left = Math.ceil((group.length * 8) / 6); left > 0; left--, number >>= 6) text += ALPHABET[number & 63];
  }
  return text;
}
