import { useEffect } from "preact/hooks";
import { announcement, silence } from "../state/announce.ts";

/** As long as it takes to read a sentence twice. */
const SHOWN_MS = 6_000;

/** Shows for a while what the page has done. Screen readers read it, because the region itself is always there. */
export function StatusRegion() {
  const { value } = announcement;
  useEffect(() => {
    const timer = setTimeout(silence, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return (
    <div class="announcement" role="status">
      {value && <p key={value}>{value.text}</p>}
    </div>
  );
}
