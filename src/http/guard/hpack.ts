import { BAD_IN_NAME, BAD_IN_VALUE, BYTE_CLASSES, isFieldName } from "./field-bytes.ts";
import { FIELD_OVERHEAD, STATIC_ENTRIES, STATIC_NAMES, STATIC_SIZES } from "./hpack-static-table.ts";
import { HpackTable } from "./hpack-table.ts";
import { decodeHuffman, HUFFMAN_ENDS, HUFFMAN_STEPS, STEP_EOS, STEP_STATE, STEP_SYMBOL } from "./huffman.ts";

/**
 * Reads the header blocks of one connection in order (RFC 7541), without decoding the fields: it measures them and
 * finds the ones that HTTP/2 forbids (RFC 9113, section 8.2.1). It must read each block exactly once.
 */
export class HeaderBlockReader {
  /** Fields in the last block. */
  fields = 0;
  /** The size of the last block's field section (RFC 9113, section 6.5.2: SETTINGS_MAX_HEADER_LIST_SIZE). */
  listBytes = 0;
  /** The name of the last block's first field with a forbidden name or value. */
  malformed: string | undefined;

  readonly #table = new HpackTable();
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;

  // The last string.
  #start = 0;
  #stop = 0;
  #isHuffman = false;
  #length = 0;
  /** `BAD_IN_NAME` and `BAD_IN_VALUE` of its bytes; other bits are undefined. */
  #classes = 0;

  /** Returns false if the block is not valid HPACK. The connection can no longer be used after that. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.fields = 0;
    this.listBytes = 0;
    this.malformed = undefined;
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    while (this.#at < end) {
      const first = bytes[this.#at] ?? 0;
      const isRead =
        first >= 0x80 ? this.#readIndexed() : first >> 5 === 1 ? this.#readTableSize() : this.#readLiteral(first);
      if (!isRead) return false;
    }
    return true;
  }

  /** RFC 7541, section 6.1. */
  #readIndexed(): boolean {
    const index = this.#readInteger(0x7f);
    if (index <= 0) return false;
    this.fields++;
    if (index <= STATIC_ENTRIES) {
      this.listBytes += STATIC_SIZES[index] ?? 0;
      return true;
    }
    const slot = this.#table.find(index - STATIC_ENTRIES - 1);
    if (slot < 0) return false;
    this.listBytes += this.#table.size(slot);
    if (this.#table.isMalformed(slot)) this.malformed ??= this.#table.name(slot);
    return true;
  }

  /** RFC 7541, section 6.3; allowed only at the start of a block (section 4.2). */
  #readTableSize(): boolean {
    if (this.fields > 0) return false;
    const limit = this.#readInteger(0x1f);
    return limit >= 0 && this.#table.resize(limit);
  }

  /** RFC 7541, section 6.2. */
  #readLiteral(first: number): boolean {
    const isIndexed = first >= 0x40;
    const index = this.#readInteger(isIndexed ? 0x3f : 0x0f);
    if (index < 0) return false;
    let name: string | undefined;
    let nameBytes: number;
    let isMalformed = false;
    let nameStart = 0;
    let nameStop = 0;
    let isNameHuffman = false;
    if (index === 0) {
      if (!this.#readString()) return false;
      nameBytes = this.#length;
      nameStart = this.#start;
      nameStop = this.#stop;
      isNameHuffman = this.#isHuffman;
      // The name of a pseudo-header also has this bit, so the name is checked again.
      if (nameBytes === 0 || this.#classes & BAD_IN_NAME) {
        name = this.#toText(nameStart, nameStop, isNameHuffman);
        isMalformed = !isFieldName(name);
      }
    } else {
      if (index <= STATIC_ENTRIES) name = STATIC_NAMES[index] ?? "";
      else {
        const slot = this.#table.find(index - STATIC_ENTRIES - 1);
        if (slot < 0) return false;
        name = this.#table.name(slot);
        isMalformed = this.#table.isMalformed(slot) && !isFieldName(name);
      }
      nameBytes = name.length;
    }
    if (!this.#readString()) return false;
    if (this.#classes & BAD_IN_VALUE) isMalformed = true;
    const size = nameBytes + this.#length + FIELD_OVERHEAD;
    this.fields++;
    this.listBytes += size;
    if (isIndexed || isMalformed) {
      name ??= this.#toText(nameStart, nameStop, isNameHuffman);
      if (isMalformed) this.malformed ??= name;
      if (isIndexed) this.#table.add(name, size, isMalformed);
    }
    return true;
  }

  /** An integer with the prefix `mask` (RFC 7541, section 5.1); -1 if it is truncated or unreasonably large. */
  #readInteger(mask: number): number {
    const bytes = this.#bytes;
    let value = (bytes[this.#at++] ?? 0) & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= 14; shift += 7) {
      if (this.#at >= this.#end) return -1;
      const byte = bytes[this.#at++] ?? 0;
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return -1;
  }

  /** RFC 7541, section 5.2. */
  #readString(): boolean {
    if (this.#at >= this.#end) return false;
    const isHuffman = (this.#bytes[this.#at] ?? 0) >= 0x80;
    const length = this.#readInteger(0x7f);
    if (length < 0 || length > this.#end - this.#at) return false;
    this.#start = this.#at;
    this.#stop = this.#at + length;
    this.#at = this.#stop;
    this.#isHuffman = isHuffman;
    return isHuffman ? this.#scanHuffman() : this.#scanPlain();
  }

  #scanPlain(): boolean {
    const bytes = this.#bytes;
    const stop = this.#stop;
    let classes = 0;
    for (let at = this.#start; at < stop; at++) classes |= BYTE_CLASSES[bytes[at] ?? 0] ?? 0;
    this.#classes = classes;
    this.#length = stop - this.#start;
    return true;
  }

  #scanHuffman(): boolean {
    const bytes = this.#bytes;
    const stop = this.#stop;
    let classes = 0;
    let length = 0;
    let state = 0;
    for (let at = this.#start; at < stop; at++) {
      const byte = bytes[at] ?? 0;
      const high = HUFFMAN_STEPS[(state << 4) | (byte >> 4)] ?? 0;
      const low = HUFFMAN_STEPS[((high & STEP_STATE) << 4) | (byte & 0x0f)] ?? 0;
      classes |= high | low;
      length += ((high & STEP_SYMBOL) + (low & STEP_SYMBOL)) >> 8;
      state = low & STEP_STATE;
    }
    this.#classes = classes;
    this.#length = length;
    return HUFFMAN_ENDS[state] === 1 && (classes & STEP_EOS) === 0;
  }

  #toText(start: number, stop: number, isHuffman: boolean): string {
    if (isHuffman) return decodeHuffman(this.#bytes, start, stop);
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, stop - start).toString("latin1");
  }
}
