import type { Figure } from "./figure.ts";

const WIDTH = 760;
const LABEL = 380;
const ROW = 26;

/** Renders the figures in µs of CPU per call as an SVG bar chart, sorted, for light and dark pages. */
export function toChart(figures: readonly Figure[]): string {
  const bars = figures.filter(({ unit }) => unit === "µs").toSorted((a, b) => a.value - b.value);
  const longest = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value }, index) => {
    const y = 44 + index * ROW;
    const width = ((WIDTH - LABEL - 90) * value) / longest;
    const fill = /Signet$|over gRPC|over REST/.test(name.replace(/, CPU per call$/, "")) ? "#2f7de1" : "#9aa0a6";
    return [
      `<text x="${LABEL - 8}" y="${y + 14}" text-anchor="end">${escapeXml(name.replace(/,? ?CPU per (gRPC )?call,?/, ""))}</text>`,
      `<rect x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="18" rx="2" fill="${fill}"/>`,
      `<text x="${(LABEL + width + 6).toFixed(1)}" y="${y + 14}">${Math.round(value)} µs</text>`,
    ].join("");
  });
  const height = 60 + bars.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>Server CPU time per call, in microseconds</title>
<style>text{fill:#24292f}@media(prefers-color-scheme:dark){text{fill:#d0d7de}}</style>
<text x="8" y="22" font-size="15" font-weight="600">Server CPU time per call (shorter is better)</text>
${rows.join("\n")}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
