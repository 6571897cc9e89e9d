import { useState } from "preact/hooks";
import { isSignedOut, type Problem, toProblem } from "../api/problem.ts";
import { announce } from "./announce.ts";
import { isSessionOver } from "./session.ts";

interface Action<Args extends readonly unknown[]> {
  readonly isRunning: boolean;
  /** Why the last attempt failed. */
  readonly problem: Problem | undefined;
  /** Ignored while it runs. */
  run(...args: Args): Promise<void>;
  forgetProblem(): void;
}

/**
 * @param change Throws a ConnectError if it fails.
 * @param done What the page says once the change is made; undefined if it shows that itself.
 */
export function useAction<Args extends readonly unknown[]>(
  change: (...args: Args) => Promise<unknown>,
  done?: string | ((...args: Args) => string | undefined),
  onDone?: () => void,
): Action<Args> {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  return {
    isRunning,
    problem,
    async run(...args) {
      if (isRunning) return;
      setRunning(true);
      setProblem(undefined);
      try {
        await change(...args);
        const text = typeof done === "function" ? done(...args) : done;
        if (text !== undefined) announce(text);
      } catch (thrown) {
        const failed = toProblem(thrown);
        // The page keeps what the person has entered.
        if (isSignedOut(failed)) isSessionOver.value = true;
        return setProblem(failed);
      } finally {
        setRunning(false);
      }
      onDone?.();
    },
    forgetProblem: () => setProblem(undefined),
  };
}
