import { createDocumentThread } from "../document-thread.ts";
import type { Svg } from "./sanitize-svg.ts";

/** Sanitizes an SVG file in a worker thread. @throws SignetError UNAVAILABLE if too many files wait. */
export type SanitizeSvg = (file: Uint8Array) => Promise<Svg>;

/** The thread is created on first use, and ends after a minute without work. */
export function createSanitizeSvg(): SanitizeSvg {
  const thread = createDocumentThread<Uint8Array, Svg>({
    file: new URL("./sanitize-svg.ts", import.meta.url),
    name: "sanitizeSvg",
    waiting: "SVG files",
  });
  return async (file) => {
    const svg = await thread.run(file);
    if (svg === undefined) return { problem: "is an SVG file that cannot be read in time" };
    // A buffer does not survive the way between threads.
    return "data" in svg ? { data: Buffer.from(svg.data) } : svg;
  };
}
