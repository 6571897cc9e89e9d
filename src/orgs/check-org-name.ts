import { isId } from "../crypto/secrets.ts";
import type { Problems } from "../errors.ts";
import { describeNameProblem } from "../fields/name.ts";
import { trimText } from "../fields/trim-text.ts";

/** The fields of AddOrg and UpdateOrg. */
export interface OrgFields {
  readonly name: string;
}

/** Checks the rules of an organization's name that the schema cannot express, and trims it. */
export function checkOrgName(request: OrgFields, problems: Problems): OrgFields {
  const name = trimText(request.name);
  const problem = describeNameProblem(name);
  if (problem !== undefined) problems.add("name", problem);
  // On the command line, an organization is given by its id or name.
  else if (isId(name)) problems.add("name", "must not have the format of an id");
  return { name };
}
