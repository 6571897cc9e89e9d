import type { Problems } from "../errors.ts";
import { describeInvisibleProblem } from "../fields/name.ts";
import { LANGUAGES, type Language } from "../texts/languages.ts";
import { placeholdersIn } from "../texts/placeholders.ts";
import { MESSAGES, type MessageKind, type MessageRules, type MessageTexts, rulesOf } from "./message-texts.ts";

/** A message in a language. */
export interface MessageTextId {
  readonly kind: MessageKind;
  readonly language: Language;
}

/** New texts of a message. */
export interface NewMessageText extends MessageTextId {
  readonly texts: MessageTexts;
}

/** The fields of a request for a message in a language. The numbers of `type` begin with 1. */
interface MessageTextRequest {
  readonly type: number;
  readonly language: string;
}

const KINDS = Object.keys(MESSAGES) as readonly MessageKind[];

/** One SMS has 160 characters, and the rest of it is a link and the line with the host. */
const LONGEST_SMS = 100;

/** Checks the rules that the schema cannot express. */
export function checkMessageTextId({ type, language }: MessageTextRequest, problems: Problems): MessageTextId {
  return { kind: KINDS[type - 1] ?? "initialization", language: checkLanguage({ language }, problems).language };
}

/** Checks the language of a request: only those of the messages have texts. */
export function checkLanguage({ language }: { readonly language: string }, problems: Problems) {
  const found = LANGUAGES.find((supported) => supported === language);
  if (found === undefined && language !== "") problems.add("language", `must be one of ${LANGUAGES.join(", ")}`);
  return { language: found ?? "en" };
}

/** Checks new texts. Nobody can use them to send links of their own: see `findLink`. */
export function checkMessageText(
  request: MessageTextRequest & { readonly subject: string; readonly text: string; readonly buttonText: string },
  problems: Problems,
): NewMessageText {
  const id = checkMessageTextId(request, problems);
  const rules = rulesOf(id.kind);
  const texts = { subject: request.subject.trim(), text: request.text.trim(), button: request.buttonText.trim() };
  const fields = [
    ["subject", texts.subject, []],
    ["text", texts.text, rules.placeholders],
    ["buttonText", texts.button, []],
  ] as const;
  for (const [field, value, placeholders] of fields) {
    const absent = describeAbsence(field, rules);
    const problem = absent === undefined ? describeTextProblem(value, placeholders) : value !== "" && absent;
    // The schema reports an empty text.
    if (problem && !(field === "text" && request.text === "")) problems.add(field, problem);
  }
  if (rules.channel === "sms" && [...texts.text].length > LONGEST_SMS) {
    problems.add("text", `must be at most ${LONGEST_SMS} characters for an SMS`);
  }
  if (rules.required !== undefined && texts.text !== "" && !placeholdersIn(texts.text).includes(rules.required)) {
    problems.add("text", `must contain {{${rules.required}}}`);
  }
  return { ...id, texts };
}

/** Why the message does not have the text; undefined if it has. */
function describeAbsence(field: string, { channel, hasButton }: MessageRules): string | undefined {
  if (field !== "text" && channel === "sms") return "must be empty for an SMS";
  return field === "buttonText" && hasButton === false ? "must be empty for an email without a button" : undefined;
}

function describeTextProblem(value: string, placeholders: readonly string[]): string | undefined {
  if (value === "") return "must not be empty";
  const invisible = describeInvisibleProblem(value, { sequences: true });
  if (invisible !== undefined) return invisible;
  const unknown = placeholdersIn(value).find((name) => !placeholders.includes(name));
  const allowed = placeholders.map((name) => `{{${name}}}`).join(" and ") || "none";
  if (unknown !== undefined) return `must not contain {{${unknown}}}: allowed placeholders: ${allowed}`;
  const rest = placeholders.reduce((text, name) => text.replaceAll(`{{${name}}}`, STAND_IN), value);
  if (/[{}]/.test(rest)) return `must not contain { or } outside of placeholders: allowed: ${allowed}`;
  const link = findLink(rest);
  return link === undefined
    ? undefined
    : `must not contain ${link}: mail clients and phones would turn it into a link, and only Signet adds links`;
}

/** Stands for a placeholder. A checked text does not contain it, because it is a private-use character. */
const STAND_IN = "\ue000";

/**
 * Finds what mail clients or phones turn into a link. Messages come from a trusted sender, so that a caller who can
 * import users could otherwise send them anywhere.
 */
function findLink(given: string): string | undefined {
  const text = toPlainCharacters(given);
  // A placeholder may be the end of a sentence.
  const apart = text.replaceAll(/\ue000[.:](?=\s|$)/gu, `${STAND_IN} `);
  if (/\ue000[\p{L}\p{M}\p{N}\ue000_\-.:/@]|[\p{L}\p{M}\p{N}_\-.:/@]\ue000/u.test(apart))
    return "text next to a placeholder";
  const withoutPlaceholders = text.replaceAll(STAND_IN, " ");
  if (/@|:\/|\/\//u.test(withoutPlaceholders)) return "an address";
  if (/\p{L}:[^\s\p{P}]/u.test(withoutPlaceholders)) return "a colon between a letter and a letter or digit";
  if (/[.。]\p{M}*[\p{L}\p{N}]/u.test(withoutPlaceholders)) return "a dot before a letter or digit";
  if (/\p{Nd}(?:[\s().+/\p{Pd}]*\p{Nd}){4}/u.test(withoutPlaceholders)) return "a number of more than four digits";
  return undefined;
}

/**
 * Replaces characters that browsers accept instead of others in a host name (UTS #46), such as `ⓔ`, `．` and U+2024. An
 * ellipsis is no part of one.
 */
function toPlainCharacters(text: string): string {
  return text.replaceAll(/[\u2025\u2026]/gu, " ").normalize("NFKC");
}
