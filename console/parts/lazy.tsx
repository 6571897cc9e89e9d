import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ProblemNote } from "./problem-note.tsx";

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
    useEffect(() => {
      if (Screen !== undefined) return;
      load().then(
        (screen) => {
          loaded = screen;
          setScreen(() => screen);
        },
        () => setFailed(true),
      );
    }, []);
    if (Screen !== undefined) return <Screen {...props} />;
    return (
      <main id="main" tabIndex={-1}>
        {hasFailed && <ProblemNote problem={UNREACHABLE} onRetry={() => location.reload()} />}
      </main>
    );
  };
}
