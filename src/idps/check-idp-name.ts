import { addProblem, type Problems } from "../errors.ts";
import { describeNameProblem } from "../fields/name.ts";
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
