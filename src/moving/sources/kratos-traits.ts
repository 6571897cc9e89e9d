import { ACTIVITY_FIELDS, isActivityField, isInactive } from "./activity.ts";
import type { Fields } from "./fields.ts";
import { toGender, toLanguage } from "./profile.ts";

/** The fields that traits may become. */
const FIELDS = [
  ...(["userName", "firstName", "lastName", "displayName", "nickName"] as const),
  ...(["email", "phone", "language", "gender"] as const),
] as const;

type Field = (typeof FIELDS)[number];

/** The traits of Ory's schemas, and other usual names. A path has dots, as in `name.first`. */
const KNOWN_TRAITS: Readonly<Record<string, Field>> = {
  email: "email",
  username: "userName",
  phone: "phone",
  phone_number: "phone",
  name: "displayName",
  "name.first": "firstName",
  "name.last": "lastName",
  first_name: "firstName",
  last_name: "lastName",
  firstName: "firstName",
  lastName: "lastName",
  given_name: "firstName",
  family_name: "lastName",
  nickname: "nickName",
  locale: "language",
  gender: "gender",
};

/**
 * Reads the traits of an identity.
 *
 * @param map From paths of traits, with or without `traits.`, to fields or `metadata.<key>`. It overrides the usual names.
 * @returns The values of fields, and all other traits as metadata.
 */
export function readTraits(traits: Fields | undefined, map: Readonly<Record<string, string>>, lost: string[]) {
  const values = new Map<string, string>();
  const others: [string, unknown][] = [];
  const mapped = new Map(Object.entries(map).map(([path, field]) => [path.replace(/^traits\./, ""), field]));
  const isTaken = new Set(mapped.values());
  let inactive = false;

  visit(traits, "");

  function visit(level: Fields | undefined, parent: string): void {
    for (const [name, value] of level?.entries() ?? []) {
      const path = `${parent}${name}`;
      const usual = Object.hasOwn(KNOWN_TRAITS, path) ? KNOWN_TRAITS[path] : undefined;
      const field = mapped.get(path) ?? (usual !== undefined && !isTaken.has(usual) ? usual : undefined);
      const isObject = typeof value === "object" && !Array.isArray(value);
      if (isObject) visit(level?.object(name), `${path}.`);
      else if (field === undefined) others.push([`traits.${path}`, value]);
      else if (field.startsWith("metadata.")) others.push([field.slice("metadata.".length), value]);
      else if (isActivityField(field)) {
        if (level !== undefined && isInactive(level, name, field)) inactive = true;
      } else if (!FIELDS.some((known) => known === field)) {
        const allowed = [...FIELDS, ...ACTIVITY_FIELDS].join(", ");
        level?.refuse(name, `cannot be mapped to ${field}; allowed: ${allowed}, metadata.<key>`);
      } else keep(field, Array.isArray(value) ? (level?.texts(name) ?? []) : [level?.text(name)]);
    }
  }

  /** Schemas may allow lists, of which the first value counts. */
  function keep(field: string, [first, ...more]: readonly (string | undefined)[]): void {
    if (first === undefined) return;
    if (values.has(field) || more.length > 0) lost.push(`second ${field === "email" ? "email address" : field}`);
    if (!values.has(field)) values.set(field, first);
  }

  return {
    values: {
      ...Object.fromEntries(values),
      language: toLanguage(values.get("language"), lost),
      gender: toGender(values.get("gender"), lost),
    } as { [Name in Exclude<Field, "gender">]?: string | undefined } & { gender: ReturnType<typeof toGender> },
    others,
    inactive,
  };
}
