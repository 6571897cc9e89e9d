import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { readSecretFile } from "./secret-file.ts";

interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  /** The allowed values, as described in an error message. */
  readonly expected: string;
  /** Whether error messages must not contain the value. The value can also be in the file named by `…_FILE`. */
  readonly secret: boolean;
}

/** Variables by name. */
type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of the variables that are set. */
export type Values<V extends Variables> = { readonly [N in keyof V]?: V[N] extends Variable<infer T> ? T : never };

export type Environment = Readonly<Record<string, string | undefined>>;

export function variable<T>(schema: z.ZodType<T, string>, expected: string, secret?: "secret"): Variable<T> {
  return { schema, expected, secret: secret !== undefined };
}

/** A variable with one of the given values. */
export function choice<const T extends string>(...values: readonly T[]): Variable<T> {
  return variable(z.enum(values) as z.ZodType<T, string>, `one of ${values.join(", ")}`);
}

/** @throws ConfigError for the first invalid value. */
export function readValues<V extends Variables>(variables: V, environment: Environment): Values<V> {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, expected, secret }] of Object.entries(variables)) {
    const text = readText(environment, name);
    const path = secret ? readText(environment, `${name}_FILE`) : undefined;
    if (path !== undefined) {
      if (text !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set: expected only one of them`);
      const parsed = schema.safeParse(readSecretFile(`${name}_FILE`, path));
      if (!parsed.success) throw new ConfigError(`${name}_FILE is invalid: expected a file that contains ${expected}`);
      values[name] = parsed.data;
    } else if (text !== undefined) {
      const parsed = schema.safeParse(text);
      if (!parsed.success) {
        const got = secret ? "" : `, got ${JSON.stringify(withoutCredentials(text))}`;
        throw new ConfigError(`${name} is invalid: expected ${expected}${got}`);
      }
      values[name] = parsed.data;
    }
  }
  return values as Values<V>;
}

/** An empty variable counts as not set, because shells and compose files omit a variable that way. */
function readText(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

/** Hides the user and password of a URL. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/.*@/, "//…@");
}

/**
 * @param requiredBy The setting that needs this one.
 * @throws ConfigError if the variable is not set.
 */
export function requireValue<V extends Variables, N extends keyof V & string>(
  variables: V,
  values: Values<V>,
  name: N,
  requiredBy: string,
): NonNullable<Values<V>[N]> {
  const value = values[name];
  if (value === undefined || value === null) {
    throw new ConfigError(`${name} is not set: ${requiredBy} requires it; expected ${variables[name]?.expected}`);
  }
  return value;
}
