/** The alphabet of crypt(3). A hash in it ends with `[./0-9A-D]` or `[./01]` where its last character has unused bits. */
const ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Decodes a number of six bits for each character, least significant first. */
export function decodeCryptNumber(text = ""): number {
  return [...text].reduceRight((sum, character) => sum * 64 + ALPHABET.indexOf(character), 0);
}

/** Decodes bytes: each four characters hold three, least significant first. */
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
