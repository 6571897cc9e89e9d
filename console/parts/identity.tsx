import type { ComponentChildren } from "preact";

interface IdentityProps {
  readonly name: string;
  readonly path: string;
  /** What tells it from others of the same name, such as the address. */
  readonly note: ComponentChildren;
  readonly isMachine?: boolean;
}

/** A person or a machine in a list: initials, name and address. */
export function Identity({ name, path, note, isMachine = false }: IdentityProps) {
  return (
    <span class="identity">
      <span class={isMachine ? "initials machine" : "initials"} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span class="names">
        <a href={path}>{name}</a>
        <span class="small">{note}</span>
      </span>
    </span>
  );
}

/** The first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = "?"] = words[0] ?? "";
  const [last = ""] = words.length > 1 ? (words.at(-1) ?? "") : "";
  return (first + last).toUpperCase();
}
