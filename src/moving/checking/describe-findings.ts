import type { Tallied } from "./count-by.ts";
import type { Findings, Messages } from "./tally.ts";

/** The findings of a check as lines of text. */
export function describeFindings(findings: Findings): string[] {
  const { ready, existing, refused, skipped, finished } = findings;
  return [
    `records     ${format(findings.records)}`,
    `to import   ${format(ready)}`,
    ...(finished > 0 ? [`finished    ${format(finished)} by an earlier process of this run`] : []),
    ...(existing > 0 ? [`exist       ${format(existing)}: they are compared, and not changed`] : []),
    ...(refused > 0 ? [`refused     ${format(refused)}`] : []),
    ...(skipped > 0 ? [`skipped     ${format(skipped)}`] : []),
    ...describeFields(findings),
    ...describeList("Does not come across", findings.lost),
    ...describeList("Names made by --names", findings.madeNames),
    ...describeList("Refused", findings.refusals),
    ...describeList("Skipped", findings.skips),
    ...describeMessages("an email with a link", findings.emails),
    ...describeMessages("an SMS with a code", findings.sms, ", if the server sends SMS messages"),
  ];
}

function describeFields({ fields }: Findings): string[] {
  const rows = Object.entries(fields).sort(([, one], [, other]) => other - one);
  return rows.length === 0 ? [] : ["", "Comes across", ...rows.map(([field, count]) => toRow(count, field))];
}

function describeList(title: string, list: readonly Tallied[]): string[] {
  if (list.length === 0) return [];
  const rows = list.map(({ text, count, examples }) => {
    const more = count > examples.length ? ", …" : "";
    return toRow(count, examples.length === 0 ? text : `${text} (${examples.join(", ")}${more})`);
  });
  return ["", title, ...rows];
}

/** @param condition Under which they get it, as the end of a clause. */
function describeMessages(what: string, { count, reasons, examples }: Messages, condition = ""): string[] {
  if (count === 0) return ["", `Nobody gets ${what}.`];
  return [
    "",
    `${format(count)} ${count === 1 ? "user gets" : "users get"} ${what}${condition}, such as ${examples.join(", ")}:`,
    ...reasons.map(({ text, count: each }) => toRow(each, text)),
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
