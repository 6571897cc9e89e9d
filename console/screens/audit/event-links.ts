import { search as parameters } from "../../state/location.ts";

/** The same page with one more filter. */
export function filteredBy(name: "object" | "actor", id: string): string {
  return withParameters({ [name]: id });
}

/** The latest events of the same page with other parameters; undefined removes one. */
export function withParameters(changes: Readonly<Record<string, string | undefined>>): string {
  const next = new URLSearchParams(parameters.value);
  for (const [name, value] of Object.entries({ ...changes, before: undefined, open: undefined })) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return `?${next}`;
}
