import type { Column } from "../columns/columns.ts";
import type { Tallied } from "./count-by.ts";
import type { Findings, Messages } from "./tally.ts";

/**
 * The findings of a check as lines of text.
 *
 * @param columns Those of a table, which `describeColumns` lists.
 */
export function describeFindings(findings: Findings, columns: readonly Column[]): string[] {
  const { ready, existing, toUpdate, merged, refused, skipped, finished } = findings;
  const listed = new Set(columns.map(({ name }) => `column ${name}`));
  return [
    `records     ${format(findings.records)}`,
    `to import   ${format(ready)}`,
    ...(finished > 0 ? [`finished    ${format(finished)} by an earlier process of this run`] : []),
    ...(existing > 0 ? [`exist       ${format(existing)}: ${describeExisting(toUpdate)}`] : []),
    ...(merged > 0 ? [`merged      ${format(merged)}`] : []),
    ...(refused > 0 ? [`refused     ${format(refused)}`] : []),
    ...(skipped > 0 ? [`skipped     ${format(skipped)}`] : []),
    ...describeFields(findings),
    ...describeList(
      "Does not come across",
      findings.lost.filter(({ text }) => !listed.has(text)),
    ),
    ...describeList("Changes", findings.changes),
    ...describeList("Differs, and is not changed", findings.differences),
    ...describeList("Merged", findings.merges),
    ...describeList("Names made by --names", findings.madeNames),
    ...describeList("Refused", findings.refusals),
    ...describeList("Skipped", findings.skips),
    ...describeMessages("an email with a link", findings.emails),
    ...describeMessages("an SMS with a code", findings.sms, ", if the server sends SMS messages"),
  ];
}

/** Columns that are listed. Those that are imported come first if there are more. */
const MOST_COLUMNS = 100;

/** The columns of a table with their values, and what becomes of them. */
export function describeColumns(columns: readonly Column[]): string[] {
  const more = columns.length - MOST_COLUMNS;
  const rank = ({ field, guess }: Column) => (field !== undefined ? 0 : guess !== undefined ? 1 : 2);
  const ranked = more > 0 ? columns.toSorted((one, other) => rank(one) - rank(other)) : columns;
  const listed = ranked.slice(0, MOST_COLUMNS);
  const width = Math.min(Math.max(...listed.map(({ name }) => name.length)), 24);
  return [
    "",
    "Columns",
    ...listed.map((column) => {
      const samples = column.samples.length === 0 ? "no values" : column.samples.join(", ");
      return `  ${column.name.padEnd(width)}  ${describeField(column)}: ${samples}`;
    }),
    ...(more > 0 ? [`  and ${format(more)} more`] : []),
  ];
}

function describeField({ name, field, guess }: Column): string {
  if (field !== undefined) return field;
  return guess === undefined ? "not imported" : `not imported; if it is ${guess}, add --map "${name}=${guess}"`;
}

function describeExisting(toUpdate: number): string {
  return toUpdate === 0
    ? "they are compared, and not changed"
    : `${format(toUpdate)} of them ${toUpdate === 1 ? "is" : "are"} changed`;
}

function describeFields({ fields }: Findings): string[] {
  const rows = Object.entries(fields).sort(([, one], [, other]) => other - one);
  return rows.length === 0 ? [] : ["", "Comes across", ...rows.map(([field, count]) => toRow(count, field))];
}

function describeList(title: string, list: readonly Tallied[]): string[] {
  if (list.length === 0) return [];
  return ["", title, ...list.map(describeTallied)];
}

function describeTallied({ text, count, examples }: Tallied): string {
  const more = count > examples.length ? ", …" : "";
  return toRow(count, examples.length === 0 ? text : `${text} (${examples.join(", ")}${more})`);
}

/** @param condition Under which they get it, as the end of a clause. */
function describeMessages(what: string, { count, reasons }: Messages, condition = ""): string[] {
  if (count === 0) return ["", `Nobody gets ${what}.`];
  return [
    "",
    `${format(count)} ${count === 1 ? "user gets" : "users get"} ${what}${condition}:`,
    ...reasons.map(describeTallied),
  ];
}

function toRow(count: number, text: string): string {
  return `${format(count).padStart(11)}  ${text}`;
}

/** A number with separators, which do not depend on the locale of the machine. */
export function format(number: number): string {
  return number.toLocaleString("en-US");
}

/** A duration for people, such as `3 min 20 s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
