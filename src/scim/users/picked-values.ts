import type { Values } from "../protocol/attributes.ts";

/** Picks the value of a multi-valued attribute that is the one of the user. */
type Pick = (values: readonly Values[]) => Values | undefined;

function pickBy(...types: readonly string[]): Pick {
  return (values) =>
    // The last one: the primary one of an earlier request can still be among them.
    values.findLast(({ primary }) => primary === true) ??
    types.map((type) => values.find((each) => String(each.type).toLowerCase() === type)).find(Boolean) ??
    values[0];
}

export const pickEmail = pickBy("work");
export const pickPhone = pickBy("mobile", "work");

/**
 * The values that a request has set, of which the picked one has the current value of the user.
 *
 * @param stored As JSON; undefined if only the picked one was set.
 */
export function withPicked(stored: string | undefined, pick: Pick, own: Values): readonly Values[] {
  const values = stored === undefined ? [] : parseValues(stored);
  const picked = pick(values);
  if (picked === undefined) return [own];
  return values.map((each) => (each === picked ? { ...each, value: own.value } : each));
}

/** Metadata can have been set by a call as well. */
function parseValues(stored: string): readonly Values[] {
  try {
    const values: unknown = JSON.parse(stored);
    const isList = Array.isArray(values) && values.every((each) => typeof each === "object" && each !== null);
    return isList ? (values as Values[]) : [];
  } catch {
    return [];
  }
}

/** The values that a request has set for a user without one of these; those that the user could have are gone by now. */
export function unusableValues(
  stored: string | undefined,
  isUsable: (value: string) => boolean,
): readonly Values[] | undefined {
  const values = stored === undefined ? [] : parseValues(stored).filter(({ value }) => !isUsable(String(value)));
  return values.length === 0 ? undefined : values;
}

/** What is stored as metadata; undefined if the picked value says all. */
export function toStoredValues(values: readonly Values[], own: Values): string | undefined {
  const [only] = values;
  if (only === undefined) return undefined;
  const isPlain = values.length === 1 && only.type === own.type && only.primary !== false;
  return isPlain ? undefined : JSON.stringify(values);
}
