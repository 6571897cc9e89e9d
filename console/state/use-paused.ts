import { useEffect, useState } from "preact/hooks";

/** A search begins when the typing pauses for this time. */
const PAUSE_MS = 250;

/** The text as it was when the typing paused last. */
export function usePaused(typed: string): string {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return paused;
}
