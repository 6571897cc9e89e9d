interface Problem {
  readonly field: string;
  readonly description: string;
}

/**
 * Reads the fields of a record. Null and empty text count as absent: in CSV there is nothing else, and databases store
 * both. A method that takes several names reads the first that has a value. A value of a wrong type is a problem of the
 * record, and counts as absent.
 */
export interface Fields {
  /** Numbers are read as text, because ids may be numbers. */
  text(...names: readonly string[]): string | undefined;
  /** `true`, `false`, and what databases write for them in text. A time, such as that of a confirmation, is true. */
  flag(...names: readonly string[]): boolean | undefined;
  /** An integer from 0 on. */
  count(...names: readonly string[]): number | undefined;
  /** An object, or an object as JSON text. Its problems are those of the record. */
  object(...names: readonly string[]): Fields | undefined;
  /** The objects of a list, or of a list as JSON text. */
  objects(...names: readonly string[]): readonly Fields[];
  /** The text values of a list, or of a list as JSON text. */
  texts(...names: readonly string[]): readonly string[];
  /** Reads values that were taken from a field, or from several. Their problems are those of the record. */
  nested(name: string | undefined, values: Readonly<Record<string, unknown>>): Fields;
  /** All fields that have a value. */
  entries(): readonly (readonly [string, unknown])[];
  /** The objects of all fields whose names begin so: records of other lists that were merged into this one. */
  merged(prefix: string): readonly Fields[];
  /**
   * Adds a problem of a field.
   *
   * @returns The values of the field: none.
   */
  refuse(name: string, description: string): never[];
  /** The problems of the record up to now. */
  readonly problems: readonly Problem[];
}

/** Reads a record of an export: an object of JSON, or a row of CSV with text values. */
export function readFields(record: Readonly<Record<string, unknown>>): Fields {
  return createFields(record, "", []);
}

type Values = Readonly<Record<string, unknown>>;

function createFields(values: Values, path: string, problems: Problem[]): Fields {
  function find<Value>(
    names: readonly string[],
    read: (value: unknown) => Value | undefined,
    expected: string,
  ): { readonly name: string; readonly value: Value } | undefined {
    const name = names.find((candidate) => isPresent(own(values, candidate)));
    if (name === undefined) return undefined;
    const value = read(own(values, name));
    if (value !== undefined) return { name, value };
    refuse(name, expected);
    return undefined;
  }
  function refuse(name: string, description: string): never[] {
    problems.push({ field: `${path}${name}`, description });
    return [];
  }
  const fields: Fields = {
    text: (...names) => find(names, toText, "must be text")?.value,
    flag: (...names) => find(names, toFlag, "must be true or false")?.value,
    count: (...names) => find(names, toCount, "must be an integer from 0 on")?.value,
    object(...names) {
      const found = find(names, toObject, "must be an object");
      return found && createFields(found.value, `${path}${found.name}.`, problems);
    },
    objects(...names) {
      const found = find(names, (value) => toList(value, toObject), "must be a list of objects");
      return found?.value.map((item, index) => createFields(item, `${path}${found.name}[${index}].`, problems)) ?? [];
    },
    texts: (...names) => find(names, (value) => toList(value, toText), "must be a list of texts")?.value ?? [],
    nested: (name, nested) => createFields(nested, name === undefined ? path : `${path}${name}.`, problems),
    entries: () => Object.entries(values).filter(([, value]) => isPresent(value)),
    merged: (prefix) =>
      fields.entries().flatMap(([name]) => (name.startsWith(prefix) ? (fields.object(name) ?? []) : [])),
    refuse,
    problems,
  };
  return fields;
}

/** Fields named like a property of every object, such as `constructor`, are absent if the record does not have them. */
function own(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function isPresent(value: unknown): boolean {
  // PostgreSQL and MySQL write `\\N` for null.
  return value !== undefined && value !== null && value !== "" && value !== "\\N";
}

function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "bigint" ? String(value) : undefined;
}

/** Also as spreadsheets in German write them. */
const TRUE: ReadonlySet<string> = new Set(["true", "t", "y", "yes", "on", "ja", "wahr", "1"]);
const FALSE: ReadonlySet<string> = new Set(["false", "f", "n", "no", "off", "nein", "falsch", "0"]);

/** A date with or without a time, as databases and spreadsheets write it, or seconds or milliseconds since 1970. */
const TIME = /^(?:\d{4}-\d\d-\d\d(?:[ t]\d\d:\d\d.*)?|\d{1,2}[./]\d{1,2}[./]\d{4}(?:[ ,].*)?|\d{9,13})$/;

/** MySQL's time that is none. */
const NO_TIME = /^0000-00-00/;

function toFlag(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = toText(value)?.trim().toLowerCase() ?? "";
  if (TRUE.has(text) || FALSE.has(text)) return TRUE.has(text);
  return TIME.test(text) ? !NO_TIME.test(text) : undefined;
}

function toCount(value: unknown): number | undefined {
  const text = toText(value) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function toObject(value: unknown): Values | undefined {
  const parsed = typeof value === "string" ? parseJson(value) : value;
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
}

function toList<Item>(value: unknown, read: (item: unknown) => Item | undefined): readonly Item[] | undefined {
  const parsed = typeof value === "string" ? parseJson(value) : value;
  if (!Array.isArray(parsed)) return undefined;
  const items = parsed.map(read).filter((item) => item !== undefined);
  return items.length === parsed.length ? items : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
