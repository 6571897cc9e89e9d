import { BYTE_CLASSES } from "./field-bytes.ts";

/**
 * Bits per symbol in the Huffman code of RFC 7541, appendix B; the last symbol is EOS. The code is canonical, so the
 * lengths define it.
 */
export const CODE_LENGTHS: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26, 30,
];
const EOS = 256;

/** In a step: the state after it. A state is one of the 256 inner nodes of the code's tree. */
export const STEP_STATE = 0xff;
/** In a step: a symbol ended within it. The step also contains the class of its byte (see `BYTE_CLASSES`). */
export const STEP_SYMBOL = 0x100;
/** In a step: EOS ended within it, which is a decoding error (RFC 7541, section 5.2). */
export const STEP_EOS = 0x800;

/**
 * The step for four bits, at the index `state << 4 | bits`. No code is shorter than five bits, so at most one symbol
 * ends.
 */
export const HUFFMAN_STEPS = new Uint16Array(256 * 16);
/**
 * 1 for each state in which a string may end: after at most seven bits of padding, all of them ones (RFC 7541, section
 * 5.2).
 */
export const HUFFMAN_ENDS = new Uint8Array(256);

/** The tree: two children per state; a child is a state, or 0x1000 plus a symbol. */
const tree = createTree();
fillSteps();

/** Decodes a valid string to one character per byte. */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  let state = 0;
  for (let at = start * 8; at < end * 8; at++) {
    const child = tree[state * 2 + bit(bytes[at >> 3] ?? 0, 7 - (at & 7))] ?? 0;
    state = child & 0x1000 ? 0 : child;
    if (child & 0x1000) text += String.fromCharCode(child & 0xfff);
  }
  return text;
}

function createTree(): Uint16Array {
  const children = new Uint16Array(512);
  const symbols = CODE_LENGTHS.map((length, symbol) => ({ length, symbol })).sort((a, b) => a.length - b.length);
  let states = 1;
  let code = 0;
  let previous = 0;
  for (const { length, symbol } of symbols) {
    code <<= length - previous;
    previous = length;
    let state = 0;
    for (let place = length - 1; place > 0; place--) {
      const edge = state * 2 + bit(code, place);
      children[edge] ||= states++;
      state = children[edge] ?? 0;
    }
    children[state * 2 + bit(code, 0)] = 0x1000 | symbol;
    code++;
  }
  return children;
}

function fillSteps(): void {
  for (let start = 0; start < 256; start++) {
    for (let bits = 0; bits < 16; bits++) {
      let state = start;
      let result = 0;
      for (let place = 3; place >= 0; place--) {
        const child = tree[state * 2 + bit(bits, place)] ?? 0;
        state = child & 0x1000 ? 0 : child;
        const symbol = child & 0xfff;
        if (child & 0x1000) result |= symbol === EOS ? STEP_EOS : STEP_SYMBOL | (BYTE_CLASSES[symbol] ?? 0);
      }
      HUFFMAN_STEPS[(start << 4) | bits] = result | state;
    }
  }
  for (let padding = 0, state = 0; padding < 8; padding++) {
    HUFFMAN_ENDS[state] = 1;
    state = tree[state * 2 + 1] ?? 0;
  }
}

function bit(value: number, place: number): number {
  return (value >>> place) & 1;
}
