import type { Email } from "./email.ts";

/** RFC 5322, section 2.1.1. */
const LINE_LENGTH = 78;

/** Renders the email as plain text with wrapped lines. The link is on a separate line. */
export function layOutText(email: Email): string {
  const paragraphs = [
    email.greeting,
    `${email.occasion} ${email.request}`,
    ...(email.userName === undefined ? [] : [email.userName]),
    ...(email.action === undefined ? [] : [email.action.openLink, email.action.link, email.action.validity]),
    `${email.sentTo} ${email.unexpected}`.trim(),
  ];
  return `${paragraphs.map(breakLines).join("\n\n")}\n`;
}

/** Wraps at spaces, but not at no-break spaces. Does not split a word that is longer than a line. */
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
