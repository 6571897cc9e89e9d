import type { Problems } from "../../errors.ts";
import { describeInvisibleProblem, describeNameProblem } from "../../fields/name.ts";
import { trimText } from "../../fields/trim-text.ts";
import { describeUserNameProblem } from "../../fields/user-name.ts";

/** The name to show and the description of a machine user; null if it has no description. */
export interface MachineFields {
  readonly name: string;
  readonly description: string | null;
}

/** A checked AddMachineUserRequest. */
export interface NewMachine extends MachineFields {
  readonly userName: string;
}

/** A checked UpdateMachineRequest. */
export interface MachineChange extends MachineFields {
  readonly userId: string;
}

interface GivenFields {
  readonly name: string;
  readonly description: string;
}

/** Checks the rules of AddMachineUserRequest that the schema cannot express, and trims its fields. */
export function checkNewMachine(request: GivenFields & { readonly userName: string }, problems: Problems): NewMachine {
  const userName = trimText(request.userName);
  const problem = describeUserNameProblem(userName);
  if (problem !== undefined) problems.add("userName", problem);
  return { userName, ...checkFields(request, problems) };
}

/** Checks the rules of UpdateMachineRequest that the schema cannot express, and trims its fields. */
export function checkMachineChange(
  request: GivenFields & { readonly userId: string },
  problems: Problems,
): MachineChange {
  return { userId: request.userId, ...checkFields(request, problems) };
}

function checkFields(request: GivenFields, problems: Problems): MachineFields {
  const name = trimText(request.name);
  const description = trimText(request.description);
  const nameProblem = describeNameProblem(name);
  if (nameProblem !== undefined) problems.add("name", nameProblem);
  const problem = description === "" ? undefined : describeInvisibleProblem(description, { sequences: true });
  if (problem !== undefined) problems.add("description", problem);
  return { name, description: description || null };
}
