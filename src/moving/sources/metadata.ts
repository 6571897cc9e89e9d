import { encodeText } from "../../fields/bytes.ts";
import type { Fields } from "./fields.ts";

/** The limits of metadata in an import (`ImportHumanUserRequest`). One of its 50 items is the id in the source. */
const LIMITS = { items: 49, keyCharacters: 200, valueBytes: 2_000 };

/**
 * Makes metadata of values: text as it is, other values as JSON.
 *
 * @param lost Gets the names of values that exceed a limit.
 */
export function toMetadata(
  entries: Iterable<readonly [key: string, value: unknown]>,
  lost: string[],
): Readonly<Record<string, string>> {
  const metadata = new Map<string, string>();
  for (const [key, value] of entries) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (text === undefined || text === "" || value === null) continue;
    if (metadata.size >= LIMITS.items) {
      lost.push(`metadata: more than ${LIMITS.items} values`);
      break;
    }
    const isShort = [...key].length <= LIMITS.keyCharacters && encodeText(text).length <= LIMITS.valueBytes;
    if (isShort && !text.includes("\0")) metadata.set(key, text);
    else lost.push(`metadata ${key.slice(0, 50)}: too long`);
  }
  return Object.fromEntries(metadata);
}

/** The fields of an object as metadata, except for some, with the name of the object before the key. */
export function prefixed(
  prefix: string,
  fields: Fields | undefined,
  except: readonly string[] = [],
): readonly (readonly [string, unknown])[] {
  const entries = fields?.entries().filter(([key]) => !except.includes(key)) ?? [];
  return entries.map(([key, value]) => [`${prefix}${key}`, value]);
}
