import type { Email } from "./email.ts";

/** RFC 5322, section 2.1.1. */
const LINE_LENGTH = 78;

/** The email as text: the lines are broken, and the link has one of its own. */
export function layOutText(email: Email): string {
  const paragraphs = [
    email.greeting,
    `${email.occasion} ${email.request}`,
    email.openLink,
    email.link,
    email.validity,
    `${email.sentTo} ${email.unexpected}`.trim(),
  ];
  return `${paragraphs.map(breakLines).join("\n\n")}\n`;
}

/** Breaks at spaces, but not at those that do not break. A word that is longer than a line is left whole. */
function breakLines(paragraph: string): string {
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
