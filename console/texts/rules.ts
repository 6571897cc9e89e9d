/** What the API says about fields, in English. */
const RULES = {
  empty: /^must not be empty$/,
  required: /^is required.*$/,
  tooShort: /^must be at least (\d+) characters?, is (\d+)$/,
  tooLong: /^must be at most (\d+) characters?, is (\d+)$/,
  tooManyBytes: /^must be at most (\d+) bytes, is (\d+)$/,
  tooManyItems: /^must have at most (\d+) items, has (\d+)$/,
  checkLifetime: /^must be from 5 minutes to 30 days$/,
  skipLifetime: /^must be from 0 to 3650 days$/,
  repeated: /^must not be the same as an earlier one$/,
  noDomain: /^must have a domain name such as (\S+) after the @$/,
  notEventType: /^must be the type of an event .* such as (\S+)$/,
  noUri: /^must have at least one URI .*$/,
};

/** What the API says about fields, in another language: a pattern of its words, and their translation. */
export type Rules = readonly (readonly [ofApi: RegExp, text: string])[];

/** @param translated The words in another language, in which `$1` is the first value that the API says. */
export function toRules(translated: Readonly<Record<keyof typeof RULES, string>>): Rules {
  return Object.entries(RULES).map(([name, ofApi]) => [ofApi, translated[name as keyof typeof RULES]] as const);
}
