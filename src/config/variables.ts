import type { z } from "zod";

/** An error that the operator can fix. The message is one line and contains no secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  /** The allowed values, as an error message describes them. */
  readonly expected: string;
  /** Whether error messages must not contain the value. */
  readonly secret: boolean;
}

/** Variables by their names. */
export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of the variables that are set. */
export type Values<V extends Variables> = { readonly [N in keyof V]?: V[N] extends Variable<infer T> ? T : never };

export type Environment = Readonly<Record<string, string | undefined>>;

export function variable<T>(schema: z.ZodType<T, string>, expected: string, secret?: "secret"): Variable<T> {
  return { schema, expected, secret: secret !== undefined };
}

/** @throws ConfigError for the first invalid value. */
export function readValues<V extends Variables>(variables: V, environment: Environment): Values<V> {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, expected, secret }] of Object.entries(variables)) {
    // An empty variable counts as not set, because shells and compose files omit a variable that way.
    const text = environment[name]?.trim();
    if (!text) continue;
    const parsed = schema.safeParse(text);
    if (!parsed.success) {
      throw new ConfigError(`${name} is invalid: expected ${expected}${secret ? "" : `, got ${JSON.stringify(text)}`}`);
    }
    values[name] = parsed.data;
  }
  return values as Values<V>;
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
