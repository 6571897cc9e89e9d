import { toPrintable } from "../printable.ts";

/** Prints the result of a command, either as JSON or as lines of text, without characters that control the terminal. */
export function print(asJson: boolean, value: unknown, lines: readonly string[]): void {
  console.log((asJson ? [JSON.stringify(value)] : lines).map(toPrintable).join("\n"));
}

/** Prints lines to standard error, in the same way. */
export function printError(...lines: readonly string[]): void {
  console.error(lines.map(toPrintable).join("\n"));
}

/** Formats a table with a heading. Each column is as wide as its longest cell. */
export function toTable(heading: readonly string[], cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(toPrintable));
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  return [heading, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** The members of objects with some names, as rows of a table. */
export function toRows<Item extends object>(items: readonly Item[], ...names: readonly (keyof Item)[]): string[][] {
  return items.map((item) => names.map((name) => toText(item[name])));
}

/** The name of a value; empty if there is none. */
export function nameOf(values: Readonly<Record<string, unknown>>, value: unknown): string {
  return Object.entries(values).find(([, each]) => each === value)?.[0] ?? "";
}

/** Formats the members of an object, one line each. */
export function toLines(object: object): string[] {
  return Object.entries(object).map(([name, value]) => `${name}: ${toText(value)}`);
}

function toText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : [value].flat().join(" ");
}
