import { wordsFor } from "../../texts/words-for.ts";
import type { ImportTexts } from "./texts/en.ts";
import { withLabels } from "./with-labels.ts";

/** What an export has and the import does not read, such as `picture`, `password: plain text` or `passkeys (of a merged record)`. */
export function lostWords(text: string, texts: ImportTexts): string {
  const { named, what, why } = texts.lostParts;
  // The name of a column may have any characters.
  if (text.startsWith("column ")) return text.replace("column", named.column);
  const [, lost = text, reason] = /^([^:(]+): (.+)$/s.exec(text) ?? /^(.+) \(([^()]+)\)$/s.exec(text) ?? [];
  const [, kind = "", name] = /^(metadata|link to|credential|required action) (.+)$/s.exec(lost) ?? [];
  const words = name === undefined ? wordsFor({ ...texts.fields, ...what }, lost) : `${wordsFor(named, kind)} ${name}`;
  if (reason === undefined) return words;
  return `${words}: ${withLabels(wordsFor(why, reason, withName(reason, texts.lostParts)), texts)}`;
}

/** A reason with a name in it. */
function withName(reason: string, { noHashes, unsalted, unsupported }: ImportTexts["lostParts"]): string {
  const rules = [
    [/^(.+) gives no hashes$/, noHashes],
    [/^unsalted (.+)$/, unsalted],
    [/^(?:the \w+ )?(\S+) is not supported$/, unsupported],
  ] as const;
  for (const [pattern, words] of rules) {
    const name = pattern.exec(reason)?.[1];
    if (name !== undefined) return words(name);
  }
  return reason;
}
