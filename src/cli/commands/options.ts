import { InvalidArgumentError, Option } from "commander";

export function json(): Option {
  return new Option("--json", "print JSON").default(false);
}

/** The organization of a user who is named by user name. */
export function userOrg(): Option {
  return new Option("--org <org>", "id or name of the organization in which to look for the user name").default(
    "default",
  );
}

/** Parses an option whose value is an integer. */
export function integerFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() === "" || !Number.isInteger(number) || number < min || number > max) {
      throw new InvalidArgumentError(`Expected an integer from ${min} to ${max}.`);
    }
    return number;
  };
}
