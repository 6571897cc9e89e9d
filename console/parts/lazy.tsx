import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SLOW_MS } from "../state/use-load.ts";
import { ProblemNote } from "./problem-note.tsx";
import { Skeleton } from "./skeleton.tsx";

const UNREACHABLE = { reason: undefined, message: "", fields: new Map(), requestId: undefined };

/**
 * A screen whose program is loaded when it is first shown. If that fails, because the service is out of reach or has
 * another version by now, the page is loaded again on request.
 */
export function lazy<Props extends object>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  return function Lazy(props: Props) {
    const [Screen, setScreen] = useState(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    const [isSlow, setSlow] = useState(false);
    useEffect(() => {
      if (Screen !== undefined) return;
      const timer = setTimeout(() => setSlow(true), SLOW_MS);
      load()
        .then(
          (screen) => {
            loaded = screen;
            setScreen(() => screen);
          },
          () => setFailed(true),
        )
        .finally(() => clearTimeout(timer));
      return () => clearTimeout(timer);
    }, []);
    if (Screen !== undefined) return <Screen {...props} />;
    return (
      <main id="main" tabIndex={-1}>
        {hasFailed ? (
          <ProblemNote problem={UNREACHABLE} onRetry={() => location.reload()} />
        ) : (
          <Skeleton isShown={isSlow} />
        )}
      </main>
    );
  };
}
