import { SignetError, type Violation } from "../../src/errors.ts";

/** The first violation of the SignetError that a function throws. */
export function violation(act: () => unknown): Violation | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof SignetError) return error.violations[0];
    throw error;
  }
  throw new Error("nothing was refused");
}
