import { addProblem, type Problems } from "../errors.ts";
import { describeNameProblem } from "../fields/name.ts";
import { describeScopeProblem, splitScopes, uniqueScopes } from "../fields/scopes.ts";
import { trimText } from "../fields/trim-text.ts";

/** Checks the name of a provider, which users read on pages, by the rules of all names. Returns it trimmed. */
export function checkIdpName(given: string, problems: Problems): string {
  const name = trimText(given);
  // The schema rejects an empty name and one that is too long.
  addProblem(problems, "name", given === "" || [...given].length > LONGEST ? undefined : describeNameProblem(name));
  return name;
}

/** Unicode code points, as in the schema. */
const LONGEST = 200;

/** Checks the scopes of a provider. Returns them split, without duplicates, in the order given. */
export function checkScopes(items: readonly string[], problems: Problems): string[] {
  const scopes = items.flatMap((item, index) => {
    // The schema rejects the item.
    if (item.length > LONGEST_ITEM) return [];
    const split = splitScopes(item);
    addProblem(problems, `scopes[${index}]`, split.map(describeScopeProblem).find(Boolean));
    return split;
  });
  if (scopes.length > MOST_SCOPES) {
    problems.add("scopes", `must have at most ${MOST_SCOPES} scopes in total, has ${scopes.length}`);
  }
  return uniqueScopes(scopes);
}

/** The schema limits the number of items to the same, but each of them can have several scopes. */
const MOST_SCOPES = 50;

/** Characters, as in the schema. */
const LONGEST_ITEM = 2_000;
