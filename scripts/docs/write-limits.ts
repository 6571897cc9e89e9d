/** Writes the table of `LIMITS` to docs/security.md, between its markers. `npm run generate` runs it. */
import { readFileSync, writeFileSync } from "node:fs";
import { LIMITS, type Limit } from "../../src/limits.ts";

const PAGE = "docs/security.md";
const [START, END] = ["<!-- limits -->\n", "<!-- end of limits -->"];

const rows = Object.values(LIMITS).map(({ who, what, most, period, note, beyond }: Limit) => {
  const often = [most.toLocaleString("en-US"), ...(period === undefined ? [] : [toPeriod(period)])].join(" ");
  const figure = note === undefined ? often : `${often}${period === undefined ? " " : "; "}${note}`;
  return `| ${who} | ${what} | ${figure} | ${beyond} |\n`;
});
const table = ["| who | what | how many | beyond it |\n|---|---|---|---|\n", ...rows].join("");
const page = readFileSync(PAGE, "utf8");
const [from, to] = [page.indexOf(START), page.indexOf(END)];
if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the table of limits`);
writeFileSync(PAGE, page.slice(0, from + START.length) + table + page.slice(to));

function toPeriod(period: string): string {
  return period === "hour" ? "per hour" : `in ${period}`;
}
