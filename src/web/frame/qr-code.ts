import encodeQR from "qr";
import { type Html, html } from "../../html.ts";

/** The width of the light margin, in modules (ISO/IEC 18004 requires four). */
const QUIET_ZONE = 4;

/**
 * Renders text as a QR code: an inline SVG that loads nothing and needs no script.
 *
 * @param label For screen readers.
 */
export function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE });
  const runs = rows.flatMap((row, y) => darkRuns(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`));
  return html`<svg class="qr" viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${runs.join("")}"/></svg>`;
}

/** The starts and lengths of the dark parts of a row. */
function darkRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last !== undefined && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  }
  return runs;
}
