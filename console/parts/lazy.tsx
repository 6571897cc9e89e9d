import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SLOW_MS } from "../state/use-load.ts";
import { ProblemNote, Skeleton } from "./screen.tsx";

const UNREACHABLE = { reason: undefined, message: "", fields: new Map(), requestId: undefined };

/**
 * A screen whose program is loaded when it is first shown, so that the first program stays small. If that fails, because
 * the service is out of reach or has another version by now, the page is loaded again on request.
 *
 * @param name Of the component in the file.
 * @param kind A dialog shows nothing while it is loaded.
 */
export function lazy<File, Name extends keyof File>(
  load: () => Promise<File>,
  name: Name,
  kind: "screen" | "dialog" = "screen",
): File[Name] {
  let loaded: FunctionComponent<object> | undefined;
  function Lazy(props: object) {
    const [Screen, setScreen] = useState(() => loaded);
    const [state, setState] = useState<"begun" | "slow" | "failed">("begun");
    useEffect(() => {
      if (Screen !== undefined) return;
      const timer = setTimeout(() => setState("slow"), SLOW_MS);
      const show = (file: File) => {
        loaded = file[name] as FunctionComponent<object>;
        setScreen(() => loaded);
      };
      load()
        .then(show, () => setState("failed"))
        .finally(() => clearTimeout(timer));
      return () => clearTimeout(timer);
    }, []);
    if (Screen !== undefined) return <Screen {...props} />;
    const problem = state === "failed" && <ProblemNote problem={UNREACHABLE} onRetry={() => location.reload()} />;
    if (kind === "dialog") return problem;
    return (
      <main id="main" tabIndex={-1}>
        {problem || <Skeleton isShown={state === "slow"} />}
      </main>
    );
  }
  return Lazy as File[Name];
}
