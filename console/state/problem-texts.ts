import type { Problem } from "../api/problem.ts";
import type { Rules } from "../texts/rules.ts";
import { lazyTexts } from "./lazy-texts.ts";

/** Loaded when the first call fails, so that the first program stays small. Without them, people read what the API says. */
const problemTexts = lazyTexts<{ REASONS: Readonly<Partial<Record<string, string>>>; RULES: Rules }>(
  {
    en: () => import("../texts/en/reasons.ts"),
    de: () => import("../texts/de/reasons.ts"),
    es: () => import("../texts/es/reasons.ts"),
    fr: () => import("../texts/fr/reasons.ts"),
  },
  { REASONS: {}, RULES: [] },
);

/**
 * What has happened, and what to do next; what the API says for a reason that the console does not know. Empty until the
 * texts are loaded, so that nobody sees one text change into another.
 */
export function describeProblem({ reason, message }: Problem): string {
  const known = problemTexts();
  if (known === undefined) return "";
  return (reason && known.REASONS[reason]) || message;
}

/** What is wrong with the value at a path of the request, in words; undefined if nothing is. */
export function describeField(problem: Problem | undefined, path: string): string | undefined {
  if (problem === undefined) return undefined;
  const [, found] = [...problem.fields].find(([field]) => isAt(path, field)) ?? [];
  if (found === undefined) return undefined;
  return found === "" ? describeProblem(problem) : describeValue(found);
}

/** What the API says about a value, in the language of the page; empty until the texts are loaded. */
export function describeValue(description: string): string {
  const known = problemTexts();
  if (known === undefined) return "";
  const rule = known.RULES.find(([ofApi]) => ofApi.test(description));
  return rule === undefined ? description : description.replace(...rule);
}

/** Whether an error at a field of the API belongs to a path of the request: a conflict names the field without what it is in. */
export function isAt(path: string, field: string): boolean {
  return path === field || path.endsWith(`.${field}`);
}
