import type { Email } from "./email-html.ts";

const LINE_LENGTH = 78;

/** The email as text. Lines are broken (RFC 5322, section 2.1.1, recommends at most 78 characters), but for the link. */
export function layOutText(email: Email): string {
  const paragraphs = [
    wrap(email.greeting),
    wrap(`${email.occasion} ${email.request}`),
    wrap(email.openLink),
    email.link,
    wrap(email.validity),
    wrap(email.unexpected),
    wrap(email.sentTo),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

/** Breaks lines at spaces, and not at those that do not break. */
function wrap(paragraph: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && longer.length > LINE_LENGTH) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].join("\n");
}
