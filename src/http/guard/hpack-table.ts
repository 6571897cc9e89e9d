import { FIELD_OVERHEAD } from "./hpack-static-table.ts";

/** The default of SETTINGS_HEADER_TABLE_SIZE (RFC 9113, section 6.5.2), which the server does not change. */
const TABLE_BYTES = 4_096;

/** The maximum number of entries, because each takes at least its overhead. A power of two. */
const MOST_ENTRIES = TABLE_BYTES / FIELD_OVERHEAD;

/**
 * The part of a decoder's dynamic table (RFC 7541, section 2.3.2) that the guard needs: names and sizes of entries,
 * without their values. A ring buffer.
 */
export class HpackTable {
  readonly #names: string[] = [];
  readonly #sizes: number[] = [];
  readonly #malformed: boolean[] = [];
  #newest = -1;
  #entries = 0;
  #bytes = 0;
  #limit = TABLE_BYTES;

  /** The index of the entry at a position; the newest entry is at position 0. -1 if there is none. */
  find(position: number): number {
    return position < this.#entries ? (this.#newest - position) & (MOST_ENTRIES - 1) : -1;
  }

  name(slot: number): string {
    return this.#names[slot] ?? "";
  }

  size(slot: number): number {
    return this.#sizes[slot] ?? 0;
  }

  /** Whether HTTP/2 forbids the name or the value of the entry. */
  isMalformed(slot: number): boolean {
    return this.#malformed[slot] ?? false;
  }

  /** RFC 7541, section 4.4: an entry larger than the table empties it and is not added. */
  add(name: string, size: number, malformed: boolean): void {
    this.#evict(this.#limit - size);
    if (size > this.#limit) return;
    this.#newest = (this.#newest + 1) & (MOST_ENTRIES - 1);
    this.#names[this.#newest] = name;
    this.#sizes[this.#newest] = size;
    this.#malformed[this.#newest] = malformed;
    this.#entries++;
    this.#bytes += size;
  }

  /** RFC 7541, section 6.3. Returns false if the limit is larger than the server allows, which is a decoding error. */
  resize(limit: number): boolean {
    if (limit > TABLE_BYTES) return false;
    this.#limit = limit;
    this.#evict(limit);
    return true;
  }

  #evict(bytes: number): void {
    while (this.#entries > 0 && this.#bytes > bytes) {
      const oldest = this.find(this.#entries - 1);
      this.#bytes -= this.size(oldest);
      this.#names[oldest] = "";
      this.#entries--;
    }
  }
}
