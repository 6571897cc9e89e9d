import { decodeBase64, decodeText } from "../../fields/bytes.ts";
import type { StoredValue } from "./stored-values.ts";

/** The value itself, without whether it is verified. */
export function plainOf(value: StoredValue | undefined): string | number | null {
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? value.value : value;
}

export function isSameValue(one: StoredValue, other: StoredValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The value as people read it. */
export function describeValue(field: string, value: StoredValue): string {
  const text = textOf(field, value);
  return text === null ? "none" : `${JSON.stringify(text)}${isVerified(value) ? " (verified)" : ""}`;
}

/** Like `plainOf`, but metadata is text if it can be. */
export function textOf(field: string, value: StoredValue): string | number | null {
  const plain = plainOf(value);
  if (plain === null || !field.startsWith("metadata.")) return plain;
  return decodeText(decodeBase64(String(plain)) ?? new Uint8Array()) ?? plain;
}

export function isVerified(value: StoredValue): boolean {
  return typeof value === "object" && value !== null && value.isVerified;
}
