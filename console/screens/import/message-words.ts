import { describeValue } from "../../state/problem-texts.ts";
import type { ImportTexts } from "./texts/en.ts";
import { fieldWords, withLabels } from "./words.ts";

/** What is wrong with a record, as on a line of the check: `email.email: must be …`. */
export function refusalWords(line: string, texts: ImportTexts): string {
  const [, field = "", description = ""] = /^([\w.[\]]+): (.*)$/s.exec(line) ?? [];
  return problemWords(field === "" ? { field, description: line } : { field, description }, texts);
}

/** What is wrong with a field of a record, or with all of it. */
export function problemWords(problem: { readonly field: string; readonly description: string }, texts: ImportTexts) {
  const { field, description } = problem;
  // The list of all schemes does not fit into a table.
  const words = withLabels(describeValue(description).replace(/; supported schemes: .*$/s, ""), texts);
  return field === "" ? words : `${fieldWords(field, texts)}: ${words}`;
}
