import type { Problems } from "../errors.ts";
import { describeInvisibleProblem } from "../fields/name.ts";
import type { Owner } from "../owner.ts";
import type { Language } from "../texts/languages.ts";
import { hasItsPlaceholders, namesOf, originalText } from "../texts/page-language.ts";
import { toPlaceholder } from "../texts/placeholders.ts";
import { checkLanguage } from "./check-message-text.ts";
import { isReplaceable } from "./page-texts.ts";

/** New texts of pages. */
export interface NewPageTexts {
  readonly language: Language;
  /** By key. An empty text stands for the original. */
  readonly texts: Readonly<Record<string, string>>;
}

interface PageTextsRequest {
  readonly language: string;
  readonly texts: readonly { readonly key: string; readonly text: string }[];
}

/** Returns the check of the rules that the schema cannot express, for an owner of a kind. */
export function checkPageTexts(kind: Owner["kind"]) {
  return (request: PageTextsRequest, problems: Problems): NewPageTexts => {
    const { language } = checkLanguage(request, problems);
    const texts = new Map<string, string>();
    for (const [index, { key, text }] of request.texts.entries()) {
      const trimmed = text.trim();
      const keyProblem = texts.has(key) ? "must not be given twice" : describeKeyProblem(key, kind);
      if (key !== "" && keyProblem !== undefined) problems.add(`texts[${index}].key`, keyProblem);
      const textProblem = trimmed === "" || keyProblem ? undefined : describeTextProblem(key, trimmed);
      if (textProblem !== undefined) problems.add(`texts[${index}].text`, textProblem);
      texts.set(key, trimmed);
    }
    return { language, texts: Object.fromEntries(texts) };
  };
}

function describeKeyProblem(key: string, kind: Owner["kind"]): string | undefined {
  if (originalText("en", key) === undefined) return "is not the key of a text";
  return isReplaceable(key, kind) ? undefined : "is the key of a text that only the instance can replace";
}

/** Pages show texts as they are. HTML would be shown too, and is therefore a mistake. */
function describeTextProblem(key: string, text: string): string | undefined {
  const invisible = describeInvisibleProblem(text, { sequences: true });
  if (invisible !== undefined) return invisible;
  if (/<[/!a-z]/i.test(text)) return "must not contain HTML: pages would show it as text";
  const needed = namesOf(key).map(toPlaceholder);
  const rest = needed.reduce((left, placeholder) => left.replaceAll(placeholder, ""), text);
  if (hasItsPlaceholders(key, text) && !/[{}]/.test(rest)) return undefined;
  return needed.length === 0
    ? "must not contain { or }: the text has no placeholders"
    : `must contain ${needed.join(" and ")}, and no other placeholder or brace`;
}
