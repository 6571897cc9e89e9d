/** The command line is wrong, or asks for something ambiguous: the exit code is 2. */
export class UsageError extends Error {
  /** Printed after the message. */
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}
