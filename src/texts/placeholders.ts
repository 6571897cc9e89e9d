/** A placeholder, such as `{{host}}`. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/gu;

/** The names of the placeholders in a literal text. */
export type NamesIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A string with placeholders. The type is not `string`, so that a text that is shown before `fillIn` does not compile. */
export interface TextWith<Names extends string> {
  readonly replaceAll: string["replaceAll"];
  /** Exists only as a type. */
  readonly names?: Names;
}

/** The names of the placeholders in a text. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/** A placeholder, as it stands in a text. */
export function toPlaceholder(name: string): string {
  return `{{${name}}}`;
}

/** Replaces the placeholders of a text. The values are not searched for placeholders. */
export function fillIn<Names extends string>(
  text: TextWith<Names>,
  values: Readonly<Record<NoInfer<Names>, string | number>>,
): string {
  const byName: Readonly<Record<string, string | number>> = values;
  return text.replaceAll(PLACEHOLDER, (placeholder, name: string) => String(byName[name] ?? placeholder));
}

/** Returns the form of a text for a number. */
export function chooseForm<One, Other>(
  forms: { readonly one: One; readonly other: Other },
  count: number,
  language: string,
): One | Other {
  return new Intl.PluralRules(language).select(count) === "one" ? forms.one : forms.other;
}
