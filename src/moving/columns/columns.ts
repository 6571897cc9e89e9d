import { recognizeHash } from "../../passwords/hash-prefixes.ts";
import { type Input, readUsers } from "../reading/read-users.ts";
import type { Source } from "../source.ts";
import { csv, fieldOf } from "../sources/csv.ts";
import { NOT_IMPORTED } from "./column-fields.ts";
import { guessField } from "./guess-field.ts";

/** A column of a table, and the field that an import reads it as. */
export interface Column {
  readonly name: string;
  /** Up to three different values, without secrets. */
  readonly samples: readonly string[];
  /** From `--map` or the name; undefined if the column is not imported. */
  readonly field: string | undefined;
  /** The probable field of a column that is not imported, by its name and values. A person has to confirm it. */
  readonly guess: string | undefined;
}

const SAMPLES = 3;
const MOST_RECORDS = 1_000;
const LONGEST_SAMPLE = 32;

/**
 * Reads the columns of a table from its first records.
 *
 * @returns Undefined if exports of the source have columns of their own.
 */
export async function readColumns(
  input: Input,
  source: Pick<Source, "name" | "secondFile">,
  map: Readonly<Record<string, string>>,
): Promise<Column[] | undefined> {
  if (source.name !== csv.name) return undefined;
  const samples = new Map<string, Set<string>>();
  let count = 0;
  for await (const records of readUsers(input, csv)) {
    for (const { value = {} } of records) addSamples(samples, value);
    count += records.length;
    if (count >= MOST_RECORDS) break;
  }
  return toColumns(samples, map);
}

function addSamples(samples: Map<string, Set<string>>, record: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(record)) {
    const known = samples.get(name) ?? new Set();
    samples.set(name, known);
    const text = typeof value === "object" ? JSON.stringify(value ?? "") : String(value).trim();
    if (known.size < SAMPLES && text !== "" && text !== '""') known.add(text);
  }
}

function toColumns(samples: ReadonlyMap<string, ReadonlySet<string>>, map: Readonly<Record<string, string>>): Column[] {
  const read = [...samples].map(([name, texts]) => ({
    name,
    texts: [...texts],
    field: fieldOf(name, [...texts][0], map),
  }));
  const taken = new Set(read.map(({ field }) => field));
  return read.map(({ name, texts, field }) => {
    const isOpen = field === undefined && !Object.hasOwn(map, name);
    const guess = isOpen ? guessField(name, texts) : undefined;
    const isFree = guess !== undefined && !taken.has(guess);
    if (isFree) taken.add(guess);
    const isSecret = [field, guess].some((each) => SECRETS.has(each ?? "")) || SECRET_NAME.test(name);
    return {
      name,
      samples: texts.map((text) => toSample(text, isSecret)),
      field: field === NOT_IMPORTED ? undefined : field,
      guess: isFree ? guess : undefined,
    };
  });
}

const SECRETS: ReadonlySet<string> = new Set(["passwordHash", "otp", "recoveryCodes"]);
const SECRET_NAME =
  /pass|pw|kennwort|secret|geheim|credential|token|hash|salt|digest|seed|otp|mfa|2fa|backup|recovery|wiederherst|answer|antwort|key$|(?:^|[^a-z])pin$/i;

/** Shows only the prefix of a hash, and nothing of other secrets. */
function toSample(text: string, isSecret: boolean): string {
  const { prefix } = recognizeHash(text);
  if (prefix !== undefined) return `${prefix}…`;
  // Its members may be secrets: `SECRET_NAME` has not checked their names.
  const isObject = /^\[?\s*\{/.test(text);
  if (isSecret || isObject) return "…";
  return text.length > LONGEST_SAMPLE ? `${text.slice(0, LONGEST_SAMPLE)}…` : text;
}
