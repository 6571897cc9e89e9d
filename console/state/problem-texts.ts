import type { Problem } from "../api/problem.ts";
import type { Rules } from "../texts/rules.ts";
import { lazyTexts } from "./lazy-texts.ts";

interface ProblemTexts {
  readonly reasons: Readonly<Partial<Record<string, string>>>;
  readonly rules: Rules;
}

/** Loaded when the first call fails, so that the first program stays small. Without them, people read what the API says. */
const problemTexts = lazyTexts<ProblemTexts>(
  {
    en: async () => ({ reasons: (await import("../texts/en/reasons.ts")).EN_REASONS, rules: [] }),
    de: async () => {
      const { DE_REASONS, DE_RULES } = await import("../texts/de/reasons.ts");
      return { reasons: DE_REASONS, rules: DE_RULES };
    },
    es: async () => {
      const { ES_REASONS, ES_RULES } = await import("../texts/es/reasons.ts");
      return { reasons: ES_REASONS, rules: ES_RULES };
    },
    fr: async () => {
      const { FR_REASONS, FR_RULES } = await import("../texts/fr/reasons.ts");
      return { reasons: FR_REASONS, rules: FR_RULES };
    },
  },
  { reasons: {}, rules: [] },
);

/**
 * What has happened, and what to do next; what the API says for a reason that the console does not know. Empty until the
 * texts are loaded, so that nobody sees one text change into another.
 */
export function describeProblem({ reason, message }: Problem): string {
  const known = problemTexts();
  if (known === undefined) return "";
  return (reason && known.reasons[reason]) || message;
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
  const rule = known.rules.find(([ofApi]) => ofApi.test(description));
  return rule === undefined ? description : description.replace(...rule);
}

/** Whether an error at a field of the API belongs to a path of the request: a conflict names the field without what it is in. */
export function isAt(path: string, field: string): boolean {
  return path === field || path.endsWith(`.${field}`);
}
