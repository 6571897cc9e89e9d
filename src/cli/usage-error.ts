/** The command line is wrong, or asks for something ambiguous: the exit code is 2. */
export class UsageError extends Error {}
