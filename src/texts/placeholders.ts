/** A placeholder, such as `{{host}}`. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/gu;

/** The names of the placeholders in a text. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/** A placeholder, as it stands in a text. */
export function toPlaceholder(name: string): string {
  return `{{${name}}}`;
}

/** Replaces the placeholders of a checked text. The values are not searched for placeholders. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => values[name] ?? placeholder);
}
