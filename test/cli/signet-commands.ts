import type { Ended, Processes } from "../support/servers/process.ts";

/** Runs `signet` commands with the same variables. */
export interface SignetCommands {
  signet(...args: string[]): Promise<Ended>;
  /** Expects success and one line of JSON, and returns its value. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests check what is in it
  json(...args: string[]): Promise<any>;
  /** Expects exit code 1, no output on stdout, and on stderr `signet: ` and the message, or a matching text. */
  expectFailure(args: string[], message: string | RegExp): Promise<void>;
}

/** @param run `run` or `runHere` of `createProcesses`. */
export function createSignetCommands(run: Processes["runHere"], variables: Record<string, string>): SignetCommands {
  const signet = (...args: string[]) =>
    run(args, variables, { mayPrintToken: args[0] === "token" && args[1] === "create" });
  return {
    signet,
    async json(...args) {
      const { code, stdout, stderr } = await signet(...args, "--json");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^[^\n]+\n$/);
      return JSON.parse(stdout);
    },
    async expectFailure(args, message) {
      const { code, stdout, stderr } = await signet(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      if (typeof message === "string") expect(stderr).toBe(`signet: ${message}\n`);
      else expect(stderr).toMatch(message);
    },
  };
}
