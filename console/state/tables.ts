/** Some of the values of a table. */
export function pick<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>;
}

/** The names of the values. */
export function namesOf<Values extends object>(values: Values): (keyof Values & string)[] {
  return Object.keys(values) as (keyof Values & string)[];
}

/** The name of a value. */
export function nameIn<Values extends object>(values: Values, value: unknown): (keyof Values & string) | undefined {
  return namesOf(values).find((name) => values[name] === value);
}

/** The parameter, if it is a key of the table. */
export function keyOf<Key extends string>(table: Readonly<Record<Key, unknown>>, text: string | null): Key | undefined {
  return text !== null && Object.hasOwn(table, text) ? (text as Key) : undefined;
}
