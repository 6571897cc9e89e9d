import { addProblem, type Problems } from "../../errors.ts";
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
  addProblem(problems, "userName", describeUserNameProblem(userName));
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
  addProblem(problems, "name", describeNameProblem(name));
  if (description !== "")
    addProblem(problems, "description", describeInvisibleProblem(description, { sequences: true }));
  return { name, description: description || null };
}
