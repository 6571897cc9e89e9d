import { signal } from "@preact/signals";
import type { Problem } from "../api/problem.ts";
import type { Reasons, Rules } from "../texts/en/reasons.ts";
import { type Language, language } from "./language.ts";

interface ProblemTexts {
  readonly reasons: Readonly<Partial<Record<string, string>>>;
  readonly rules: Rules;
}

/** Loaded when the first call fails, so that the first program stays small. */
const FILES: Readonly<Record<Language, () => Promise<{ reasons: Reasons; rules: Rules }>>> = {
  en: async () => {
    const { EN_REASONS, EN_RULES } = await import("../texts/en/reasons.ts");
    return { reasons: EN_REASONS, rules: EN_RULES };
  },
  de: async () => {
    const { DE_REASONS, DE_RULES } = await import("../texts/de/reasons.ts");
    return { reasons: DE_REASONS, rules: DE_RULES };
  },
};

const loaded = signal<Readonly<Partial<Record<Language, ProblemTexts>>>>({});
const loading = new Set<Language>();

/** What stands for texts that could not be loaded: people then read what the API says. */
const NO_TEXTS: ProblemTexts = { reasons: {}, rules: [] };

/** The texts of the language; undefined until they are loaded. */
function problemTexts(): ProblemTexts | undefined {
  const name = language.value;
  const found = loaded.value[name];
  if (found === undefined && !loading.has(name)) void load(name);
  return found;
}

async function load(name: Language): Promise<void> {
  loading.add(name);
  const found = await FILES[name]().catch(() => NO_TEXTS);
  loaded.value = { ...loaded.peek(), [name]: found };
}

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
  if (found === "") return describeProblem(problem);
  const known = problemTexts();
  if (known === undefined) return "";
  const rule = known.rules.find(([ofApi]) => ofApi.test(found));
  return rule === undefined ? found : found.replace(...rule);
}

/** Whether an error at a field of the API belongs to a path of the request: a conflict names the field without what it is in. */
export function isAt(path: string, field: string): boolean {
  return path === field || path.endsWith(`.${field}`);
}
