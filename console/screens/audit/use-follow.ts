import { useEffect, useState } from "preact/hooks";
import { isSignedOut, type Problem, toProblem } from "../../api/problem.ts";
import { renewSession, useSession } from "../../state/session.ts";

/** Many events at once cause one reload. */
const PAUSE_MS = 1_000;

/**
 * Calls a function after new events, at most once per second.
 *
 * @param key Everything that the stream depends on. Undefined ends it.
 * @returns Why the stream has ended.
 */
export function useFollow(
  key: string | undefined,
  watch: (signal: AbortSignal) => AsyncIterable<{ event?: object | undefined }>,
  onEvents: () => void,
): Problem | undefined {
  const { settings } = useSession();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    setProblem(undefined);
    if (key === undefined) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        onEvents();
      }, PAUSE_MS);
    };
    const follow = async () => {
      for await (const { event } of watch(controller.signal)) if (event !== undefined) announce();
    };
    follow().catch((thrown) => {
      if (controller.signal.aborted) return;
      const failed = toProblem(thrown);
      if (isSignedOut(failed)) renewSession(settings);
      else setProblem(failed);
    });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return problem;
}
