/** Some of the values of a form. */
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

/** The names of the values that differ from others. */
export function differing<Values extends object>(values: Values, others: Values): (keyof Values & string)[] {
  return namesOf(others).filter((name) => JSON.stringify(values[name]) !== JSON.stringify(others[name]));
}

/** A list of texts without those that are empty. */
export function clean<T>(value: T): T {
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) return value;
  return value.map((item) => item.trim()).filter((item) => item !== "") as T;
}
