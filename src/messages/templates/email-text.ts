import type { Email } from "./email.ts";

/** RFC 5322, section 2.1.1. */
const LINE_LENGTH = 78;

/** Renders the email as plain text with wrapped lines. The link is on a separate line. */
export function layOutText(email: Email): string {
  const { name, links } = email.brand;
  const paragraphs = [
    name,
    email.greeting,
    `${email.occasion} ${email.request}`.trim(),
    email.details?.join("\n"),
    email.userName,
    email.advice,
    email.action?.openLink,
    email.action?.link,
    email.action?.validity,
    `${email.sentTo} ${email.unexpected}`.trim(),
    links.map(({ label, shown }) => `${label}: ${shown}`).join("\n"),
  ];
  const shown = paragraphs.flatMap((paragraph) => paragraph || []);
  return `${shown.map(breakLines).join("\n\n")}\n`;
}

function breakLines(paragraph: string): string {
  return paragraph.split("\n").map(breakLine).join("\n");
}

/** Wraps at spaces, but not at no-break spaces. Does not split a word that is longer than a line. */
function breakLine(paragraph: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > LINE_LENGTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
