import { search as parameters } from "../../state/location.ts";

/** The same page with one more filter. */
export function filteredBy(name: "object" | "actor", id: string): string {
  const next = new URLSearchParams(parameters.value);
  for (const other of ["before", "open"]) next.delete(other);
  next.set(name, id);
  return `?${next}`;
}

/** The end of an id, which differs most between ids of one time. */
export function shorten(id: string): string {
  return `…${id.slice(-8)}`;
}
