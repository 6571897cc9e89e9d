/** What the API says about fields, in English. */
const RULES = {
  empty: /^must not be empty$/,
  required: /^is required.*$/,
  tooShort: /^must be at least (\d+) characters?, is (\d+)$/,
  tooLong: /^must be at most (\d+) characters?, is (\d+)$/,
  tooManyBytes: /^must be at most (\d+) bytes(?: of UTF-8)?, is (\d+)$/,
  longestBytes: /^must be at most (\d+) bytes (?:of UTF-8|in its NFC form)$/,
  tooManyItems: /^must have at most (\d+) items, has (\d+)$/,
  checkLifetime: /^must be from 5 minutes to 30 days$/,
  skipLifetime: /^must be from 0 to 3650 days$/,
  repeated: /^must not be the same as an earlier one$/,
  invisible: /^must not contain (.+): control, invisible, private-use and unassigned characters are not allowed$/,
  nothingVisible: /^must contain a letter, digit, punctuation mark or symbol$/,
  noAddress: /^must be an email address with one @, such as (\S+)$/,
  localPart: /^must have only letters, digits and (\S+) before the @, with single dots between them$/,
  noDomain: /^must have a domain name such as (\S+) after the @$/,
  globalNumber: /^must be a phone number in global format, such as (\S+) or .*$/,
  possibleNumber: /^must be a possible phone number, .*; this one starts with (\S+) and has (\d+) digits$/,
  noNumber: /^is not a phone number that can be read$/,
  nationalNumber: /^is not a phone number that can be read; (--default-region) reads national numbers$/,
  languageTag: /^must be a BCP 47 language tag, such as (\S+) or ([\w-]+).*$/,
  notEventType: /^must be the type of an event .* such as (\S+)$/,
  noUri: /^must have at least one URI .*$/,
  missingName: /^is missing in the export; (--names) says what to do about that$/,
  missingId: /^must have the id of the user$/,
  earlierRecord: /^is that of an earlier record, at (.+:\d+)$/,
  sharedRecord: /^is that of an earlier record, at (.+:\d+); (--allow-shared) \w+ imports both$/,
  taken: /^is taken in the target, by user (\S+)$/,
  noFlag: /^must be true or false$/,
  hashScheme: /^must use a supported scheme, not (.+?); supported schemes: .*$/,
  hashFormat: /^must be in Modular Crypt Format; .*$/,
  hashParts: /^must be a complete hash: (.*)$/,
};

/** What the API says about fields, in another language: a pattern of its words, and their translation. */
export type Rules = readonly (readonly [ofApi: RegExp, text: string])[];

/** @param translated The words in another language, in which `$1` is the first value that the API says. */
export function toRules(translated: Readonly<Record<keyof typeof RULES, string>>): Rules {
  return Object.entries(RULES).map(([name, ofApi]) => [ofApi, translated[name as keyof typeof RULES]] as const);
}
