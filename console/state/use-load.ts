import { useEffect, useRef, useState } from "preact/hooks";
import { isSignedOut, type Problem, toProblem } from "../api/problem.ts";
import { renewSession, useSession } from "./session.ts";

/** What a page has loaded. */
export interface Loaded<T> {
  /** Of the current key, or, while that is being loaded, of the previous one, so that nothing jumps. */
  readonly value: T | undefined;
  readonly problem: Problem | undefined;
  /** Whether loading takes so long that the page should say so. */
  readonly isSlow: boolean;
  /** Whether `value` belongs to the current key. */
  readonly isCurrent: boolean;
  /** Resolves once the value is loaded, or the problem is known. */
  reload(): Promise<void>;
}

/** People do not notice a shorter wait, and a placeholder would only flicker. */
export const SLOW_MS = 200;

/**
 * Loads a value, and again for each other key. A value that arrives for an earlier key is ignored.
 *
 * @param key Everything that the value depends on. Undefined loads nothing.
 */
export function useLoad<T>(key: string | undefined, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const { settings } = useSession();
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<{ key: string; value?: T; problem?: Problem }>();
  const [slowKey, setSlowKey] = useState<string>();
  const latest = useRef(load);
  latest.current = load;
  const reloads = useRef<(() => void)[]>([]);
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    const timer = setTimeout(() => setSlowKey(key), SLOW_MS);
    const settle = (next: { value?: T; problem?: Problem }) => {
      clearTimeout(timer);
      setSlowKey(undefined);
      if (controller.signal.aborted) return;
      setResult({ key, ...next });
      for (const resolve of reloads.current.splice(0)) resolve();
    };
    latest.current(controller.signal).then(
      (value) => settle({ value }),
      (thrown) => {
        if (controller.signal.aborted) return;
        const problem = toProblem(thrown);
        if (isSignedOut(problem)) renewSession(settings);
        else settle({ problem });
      },
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, attempt]);
  const isCurrent = result !== undefined && result.key === key;
  return {
    value: result?.value,
    problem: isCurrent ? result?.problem : undefined,
    isSlow: slowKey !== undefined && slowKey === key,
    isCurrent,
    reload() {
      setAttempt((count) => count + 1);
      return new Promise((resolve) => reloads.current.push(resolve));
    },
  };
}
